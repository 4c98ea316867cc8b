"""Speed, as ratios against peers in one interleaved run: `python -m benchmarks`."""
