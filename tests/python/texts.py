"""Texts that the tests share."""

# Two bytes and four bytes a character, a combining mark, several sentences.
HARD = (
    "Zoë Kravitz, the actress, said that 🦊 foxes ate the bread. "
    "Ada Lovelace wrote the first program.\n\nThe cafe\u0301 in Łódź sells 漢字 books."
)
PLAIN = [
    "Ada Lovelace wrote the first program. Charles Babbage designed the machine.",
    "The Danube rises in the Black Forest, flows through ten countries and empties into the Black Sea.",
    "Babbage never completed the machine.",
    "",
    "Vienna lies on its banks. Who wrote the book? The mayor denied that he took bribes.",
]


def corpus(documents: int) -> list[tuple[str, str]]:
    """So many documents with ids, of one to four sentences."""
    found = []
    for number in range(documents):
        sentences = [
            f"Professor {number} of Vienna published book {each} about rivers in {1900 + number}."
            for each in range(1 + number % 4)
        ]
        found.append((f"d{number}", " ".join(sentences)))
    return found
