"""The `smriti-mcp` server: the agents' operations as tools."""
