"""Words that are set close together stay words."""

from pathlib import Path

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from backend.partition import partition
from workbench.contract.partition_options import PartitionOptions


def test_words_without_a_space_character_are_parted_by_a_narrow_gap(tmp_path: Path) -> None:
    file = tmp_path / "tight.pdf"
    canvas = Canvas(str(file))
    size, gap = 10, 1.6
    sentences = ("Purchases of property and equipment", "Effect of exchange of property")
    for row, sentence in enumerate(sentences):
        left = 72.0
        canvas.setFont("Times-Roman", size)
        for word in sentence.split():
            canvas.drawString(left, 700 - 14 * row, word)
            left += stringWidth(word, "Times-Roman", size) + gap
    canvas.save()
    result = partition(
        file, name="tight.pdf", options=PartitionOptions(), progress=lambda _done, _total: None
    )
    text = " ".join(element.text_representation or "" for element in result.elements)
    assert [sentence for sentence in sentences if sentence not in text] == []
