"""Compare a table with gold under rules, score a suite, explain differences. Standard library only."""
