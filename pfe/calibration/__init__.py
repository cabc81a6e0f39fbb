"""How good the firewall is: known contamination is made from sealed problems and screened."""
