"""WinoGrande-Synth: sentences with one blank that stands for one of two people or things.

Example: "Although Asel was a head taller than Rosa, _ was put in the front row of the photograph."
    choices ("Rosa", "Asel"), answer "Asel"; with "so" for "although", "Rosa".
Format as in WinoGrande (https://huggingface.co/datasets/allenai/winogrande): one `_`, two options, both of
which the sentence names.
"""
