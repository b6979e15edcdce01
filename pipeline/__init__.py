"""The builder: from text-to-SQL instances to candidate tasks."""
