"""Kiosk and phone pages and the HTTP API; no rules and no layout of paper."""
