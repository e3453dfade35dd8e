"""What can still move: rank and redundancy of many constraints, without a large matrix."""
