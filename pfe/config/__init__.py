"""The composed configuration (params.yaml over conf/) as typed, frozen dataclasses, and what is wrong with it."""

from pfe.arms import Arm
from pfe.config.agreement import FIELDS, fields_of
from pfe.config.loading import CONF, PARAMS, chosen, conf_folder, load, parse, record
from pfe.config.records import (
    CHANCE,
    NO_BASELINE,
    AnswerKeys,
    Benchmark,
    Budget,
    Calibration,
    Canonical,
    Cluster,
    Competition,
    Config,
    Corpus,
    Firewall,
    Method,
    Model,
    Rules,
    Student,
    Tutor,
)

__all__ = [
    "CHANCE",
    "CONF",
    "FIELDS",
    "NO_BASELINE",
    "PARAMS",
    "AnswerKeys",
    "Arm",
    "Benchmark",
    "Budget",
    "Calibration",
    "Canonical",
    "Cluster",
    "Competition",
    "Config",
    "Corpus",
    "Firewall",
    "Method",
    "Model",
    "Rules",
    "Student",
    "Tutor",
    "chosen",
    "conf_folder",
    "fields_of",
    "load",
    "parse",
    "record",
]
