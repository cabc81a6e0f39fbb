"""The benchmark `invented`: newly generated problems with their libraries, which no model can have seen in training."""
