"""The stages on which models are drawn, picked and played."""
