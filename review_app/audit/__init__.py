"""Check a release without trusting whoever made it: files, chains, decisions, golds, workspaces, statistics.

Reads the release's folder alone: no database of ours, no network. What it cannot prove it says.
"""

from review_app.audit.report import AuditReport
from review_app.audit.run import audit

__all__ = ["AuditReport", "audit"]
