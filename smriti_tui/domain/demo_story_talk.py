"""What is said in the demo Space's sessions: question, answer, question, answer …"""

from __future__ import annotations

FRAME: tuple[str, ...] = (
    "We need search over our document store. Where do we start?",
    "With what is searched and who waits for it. How many documents are there, how long are they, "
    "and does one process write them or several? Those three decide more than the choice of an "
    "engine does.",
    "About 400,000 short ones, perhaps 2 million in some years. One process writes. Nobody here "
    "wants to run another server.",
    "Then I would write this down before anything else:\n\n"
    "1. One writer, and at most 2 M documents. Both are assumptions, so note them as such.\n"
    "2. An answer within 50 ms is the aim.\n"
    "3. Open: are typing errors forgiven, and does the newest or the best match come first?\n\n"
    "Save that as a checkpoint, and compare engines from there.",
)

SETTLE: tuple[str, ...] = (
    "Which engines work without a server?",
    "Three come to mind:\n\n"
    "| engine | index lives in | rebuild | typing errors |\n"
    "|---|---|---|---|\n"
    "| SQLite FTS5 | one file | whole | no |\n"
    "| Tantivy | a folder of segments | not needed | yes |\n"
    "| a trigram table | the database | whole | partly |\n\n"
    "FTS5 is there already, since the store is SQLite. The other two are new parts.",
    "What does FTS5 cost us when the corpus grows?",
    "Queries stay fast. The rebuild does not: it grows a little faster than the number of "
    "documents. By the table you attached, 2 M documents take about a minute, and that minute has "
    "to be free.",
    "The night is free. Does it find words in Hindi?",
    "Only if the tokeniser keeps the vowel signs. With its usual settings `unicode61` takes them "
    "for separators, so that हिन्दी falls into pieces. Give it the categories of letters *and* "
    "marks:\n\n"
    "```sql\n"
    "CREATE VIRTUAL TABLE doc_index USING fts5(\n"
    "  body, tokenize = \"unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'\"\n"
    ");\n"
    "```",
    "Good. FTS5 then, in a file of its own, rebuilt each night.",
    "Settled, with what it rests on: one writer, at most 2 M documents, and a free minute at "
    "night. If one of them falls, look at the rebuild first. Worth a checkpoint.",
)

MOUNTED: tuple[str, ...] = (
    "Do we still need a server if we pass 2 M documents?",
    "Then make the rebuild a job. Keep the index in one file.",
)

SPIKE: tuple[str, ...] = (
    "Suppose we took Tantivy after all. What would change?",
    "The rebuild goes away: new documents make new segments, and old ones are merged in the "
    "background. Typing errors are forgiven within one or two letters. In exchange every build "
    "carries a native library.",
    "How would we back it up?",
    "As a folder, between two commits of its writer. It can always be made again from the "
    "documents, so a lost index costs time and not data.",
)

HINDI: tuple[str, ...] = (
    "Here is a sentence for the tests: स्मृति वह है जो बची रहती है। Which words must find it?",
    "स्मृति, बची and रहती at least, each with its vowel signs. A search for स्मति without them "
    "must not: that would be another word.",
)
