"""Domain values rendered as lines or Markdown; shared by the app, the CLI and MCP."""
