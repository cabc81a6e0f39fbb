"""One file a gate, found by being there; what a gate is stands in pfe/firewall/gate.py."""
