"""WordPiece as BERT's uncased models use it: what the program does, so that training sees the same pieces.

Text is cleaned (control characters go), accents are stripped, letters lowered, every CJK character and every punctuation mark is a word of
its own; a word is cut into the longest pieces of the vocabulary from the left, or is [UNK] as a whole. A pair is
`[CLS] A [SEP] B [SEP]` with A cut at 40 pieces and the whole at 96, where B loses its end.
"""

import unicodedata

LONGEST_A, LONGEST = 40, 96
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
CJK = [(0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)]


def is_punctuation(char):
    return 33 <= ord(char) < 127 and not char.isalnum() or unicodedata.category(char).startswith("P")


class Cleaning(dict):
    """Table for `str.translate`: what becomes of a character, worked out when it is first seen."""

    def __missing__(self, code):
        self[code] = self.clean(chr(code))
        return self[code]

    @staticmethod
    def clean(char):
        if char in "\t\n\r":
            return " "
        if unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs") or char == "\ufffd":
            return ""
        if char.isspace():
            return " "
        if any(first <= ord(char) <= last for first, last in CJK):
            return f" {unicodedata.normalize('NFD', char)} "
        kept = [c.lower() for c in unicodedata.normalize("NFD", char) if unicodedata.category(c) != "Mn"]
        return "".join(f" {c} " if is_punctuation(c) else c for word in kept for c in word)


class WordPiece:
    def __init__(self, pieces):
        self.pieces = pieces
        self.numbers = {piece: number for number, piece in enumerate(pieces)}
        self.unknown, self.first, self.end = (self.numbers[p] for p in ("[UNK]", "[CLS]", "[SEP]"))
        self.longest = max(map(len, pieces))
        self.cleaning, self.known = Cleaning(), {}

    def numbers_of(self, text):
        """Numbers of the pieces of a text."""
        out = []
        for word in text.translate(self.cleaning).split():
            found = self.known.get(word)
            if found is None:
                found = self.known[word] = self.cut(word)
            out += found
        return out

    def cut(self, word):
        if len(word) > 100:
            return [self.unknown]
        out, at = [], 0
        while at < len(word):
            prefix = "##" if at else ""
            for end in range(min(len(word), at + self.longest), at, -1):
                number = self.numbers.get(prefix + word[at:end])
                if number is not None:
                    break
            else:
                return [self.unknown]
            out.append(number)
            at = end
        return out

    def pair(self, a, b):
        """A pair of pieces lists as one sequence."""
        a = a[:LONGEST_A]
        return [self.first, *a, self.end, *b[: LONGEST - 3 - len(a)], self.end]


def read_vocabulary(path):
    with open(path, encoding="utf-8") as file:
        return file.read().rstrip("\n").split("\n")


def cut_vocabulary(pieces, counts, common, least):
    """Numbers of the pieces to keep, in order: the special ones, single characters, those used `least` times in the texts (`counts`), and
    the first `common` pieces in plain letters and digits (the vocabulary is in order of how common a piece is in English)."""
    keep = []
    for number, piece in enumerate(pieces):
        body = piece.removeprefix("##")
        plain = body.isascii() and body.isalnum()
        if piece in SPECIAL or len(body) == 1 or counts[number] >= least or (plain and number < common):
            keep.append(number)
    return keep
