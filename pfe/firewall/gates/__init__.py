"""The gates of the firewall, one per file; every file here is registered automatically, see pfe/firewall/gate.py."""
