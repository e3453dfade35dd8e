"""Speed and accuracy as ratios measured in one run: `python -m bench`, or `make bench`."""
