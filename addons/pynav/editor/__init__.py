"""Editor tools. The nodes work without them; what comes here needs the editor."""
