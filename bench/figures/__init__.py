"""One module per figure: `figure(data)` yields the lines of the table; the other functions run in child processes."""
