"""Building blocks of function-calling problems: values, tools, and requests in plain language."""
