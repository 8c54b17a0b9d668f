"""The event log on a screen: streams, live events, what they fold into, the tracker as a board."""
