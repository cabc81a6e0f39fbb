"""Requests for one or several calls of documented functions; none of a held-out toolbox is among them.

Example, fncall_synth/wherever_they_are/s0/0:
    request: Before Eoin nods off, wherever that is, a sensor must tell us how warm the air is around that
        chair, and never mind Yvette.
    functions: set_light, set_temperature, read_sensor, save_scene, find_person
    answer: read_sensor(find_person("Eoin"), "temperature")
"""
