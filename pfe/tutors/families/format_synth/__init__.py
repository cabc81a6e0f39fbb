"""Format instructions that have exactly one correct output.

Example: "Write each time on the 24-hour clock ...\\n\\nDentist: 3:05 p.m.\\nSwimming: 9:30 a.m." with the answer
"09:30 Swimming\\n15:05 Dentist".
"""
