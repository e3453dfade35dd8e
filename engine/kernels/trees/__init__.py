"""Trees of bodies in joint coordinates: the articulated recursion, and loops closed by cut joints."""
