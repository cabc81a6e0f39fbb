"""Calibration of the firewall: recall on contamination made from sealed problems, false positives on clean text."""
