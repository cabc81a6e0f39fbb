"""The benchmark `invented`: problems that no model can have met, since they are drawn anew, with their libraries."""
