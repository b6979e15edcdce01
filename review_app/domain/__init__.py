"""The rules of the review: standard library only, pure functions from events to events."""
