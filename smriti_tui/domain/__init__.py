"""Pure rules: models, context assembly, events. Imports the standard library only."""
