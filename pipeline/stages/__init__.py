"""The steps of the builder: functions from dataclasses to dataclasses."""
