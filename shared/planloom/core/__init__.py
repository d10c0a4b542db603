"""What all planes and transports share; pure."""
