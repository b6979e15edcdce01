"""The desk: one method a button, split by role. Authority is checked here at every call, never in a screen."""

from review_app.desk.admin import AdminDesk
from review_app.desk.expert import ExpertDesk
from review_app.desk.lead import LeadDesk
from review_app.desk.office import Office, Viewer

__all__ = ["AdminDesk", "ExpertDesk", "LeadDesk", "Office", "Viewer"]
