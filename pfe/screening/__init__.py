"""The firewall over files of any size: shards, engines, sealed references, certificates, and what a user compares."""
