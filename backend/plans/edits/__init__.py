"""Typed operations on a plan and how they are applied. Knows English only for its reports."""
