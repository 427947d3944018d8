"""Both models get the tokens that their published tokenizers make."""

import random
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from backend.inference.byte_pairs import BytePairs
from backend.inference.static import StaticEmbedder
from backend.inference.word_pieces import WordPieces

ODD = [
    "</s>",
    "<s>",
    "<unk>",
    "[SEP]",
    "[sep]",
    "\x00",
    "\x85",
    "\xad",
    "\u200b",
    "\u2028",
    "\ufffd",
]
SIGNS = [
    "é",
    "Ñ",
    "n\u0303",
    "ß",
    "İ",
    "ΟΔΟΣ",
    "机器",
    "😀",
    "—",
    "«",
    "²",
    "_",
    "$",
    "^",
    "▁",
    "1",
    ",",
]
BLANKS = [" ", "  ", "   ", "\t", "\n", "\u3000", "\x0b"]
WORDS = ["the", "wing", "flaps", "icing", "aaaa", "ab", "Wind", "unbelievable", "x" * 101]


def chance_texts() -> list[str]:
    chance = random.Random(3)
    parts = ODD + SIGNS + 3 * BLANKS + 3 * WORDS
    return ["".join(chance.choices(parts, k=chance.randrange(30))) for _ in range(3_000)]


def guide_words() -> list[str]:
    pages = Path(__file__).parents[3] / "workbench/guide"
    return sorted({word for page in pages.glob("*.md") for word in page.read_text("utf-8").split()})


def test_static_vectors_are_summed_over_the_published_tokens() -> None:
    files = StaticEmbedder.files()
    published = Tokenizer.from_file(str(files.tokenizer))
    published.no_padding()
    published.no_truncation()
    ours = BytePairs(files.tokenizer.read_bytes())
    for text in [*chance_texts(), *guide_words(), "z" * 8_000]:
        assert ours.tokens(text) == published.encode(text, add_special_tokens=False).ids, repr(text)


@pytest.fixture(scope="module")
def bert() -> Tokenizer:
    """A tokenizer of MiniLM's form, with a vocabulary of its own."""
    words = guide_words()
    single = sorted({sign for text in [*words, *SIGNS] for sign in text.lower()})
    whole = [word for word in words if word.isalpha() and word.islower()]
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    known = [*special, *single, *whole, *(f"##{piece}" for piece in [*single, *whole[::3]])]
    numbered = {word: number for number, word in enumerate(dict.fromkeys(known))}
    made = Tokenizer(models.WordPiece(numbered, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [(word, numbered[word]) for word in ("[CLS]", "[SEP]")]
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=ends
    )
    made.add_special_tokens(special)
    made.enable_truncation(256)
    return made


def test_minilm_gets_the_published_word_pieces(bert: Tokenizer) -> None:
    ours = WordPieces.read(bert.to_str())
    words = guide_words()
    for text in [*chance_texts(), *words, " ".join(words), ""]:
        assert ours.tokens(text, 256) == bert.encode(text).ids, repr(text)
