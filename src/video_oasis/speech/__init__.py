"""What is said in a video: its transcript, where it comes from, and whether it is speech at all."""
