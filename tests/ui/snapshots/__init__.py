"""What every screen looks like, as text: one file for each scene, in every size and look."""
