"""The seven screens and the viewer; one file each, one frame around all of them."""
