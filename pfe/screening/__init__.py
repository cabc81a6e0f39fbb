"""Screening of files of any size with the firewall: shards, engines, sealed references, certificates, user files."""
