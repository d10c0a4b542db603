"""Model profiles and the facade through which every model call goes."""
