"""Methods that choose their steps: what runs them, and Radau's collocation for stiff equations."""
