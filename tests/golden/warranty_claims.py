"""Warranty claims by e-mail from four invented dealers, as EML files.

Awkward on purpose: the date of the message stands beside dates of purchase, of failure and of
quoted replies; plain, HTML, multipart, base64 and quoted-printable bodies; a model written
"TR-200", "TR200" or "TR 200"; amounts claimed beside list prices; dealers' names in two forms.
"""

from __future__ import annotations

from datetime import date
from email.message import EmailMessage
from email.policy import SMTP

from tests.golden.common import Document, Same, Schema, prop

NOUN = "warranty claims"

FAULTS = ("Battery", "Display", "Charger", "Housing", "Software")

SCHEMA: Schema = [
    prop("claim_reference", "string", "Reference of the claim", ["WC-3301"]),
    prop("sent_date", "date", "Date the e-mail was sent", ["2023-02-03"]),
    prop("dealer", "string", "Dealer that makes the claim", ["Castell Outdoor"]),
    prop("model", "string", "Model of the device", ["TR-200", "TR-350"]),
    prop("fault", "choice", "Part that failed", ["Battery"], FAULTS),
    prop("amount_claimed", "float", "Amount claimed, in US dollars", ["240.00"]),
    prop("units", "int", "Number of faulty units", ["2"]),
    prop("photos_attached", "bool", "Whether photos come with the claim", ["yes", "no"]),
]

SAME: Same = {
    "dealer": {
        "Castell Outdoor": ("Castell Outdoor LLC", "CASTELL OUTDOOR"),
        "Yarrow Sports": ("Yarrow Sports & Leisure",),
        "Polden Supply": ("Polden Supply Co.",),
        "Ruben & Hale": ("Ruben and Hale",),
    },
    "model": {
        "TR-200": ("TR200", "TR 200"),
        "TR-350": ("TR350",),
        "TR-500": ("TR500", "Tracker 500 (TR-500)"),
    },
}

CASTELL = "Castell Outdoor <service@castell.example>"
YARROW = "Yarrow Sports & Leisure <claims@yarrow.example>"
POLDEN = "Polden Supply Co. <office@polden.example>"
RUBEN = "Ruben & Hale <mail@rubenhale.example>"


def _mail(
    number: int,
    sender: str,
    sent: str,
    subject: str,
    text: str,
    mode: str = "7bit",
) -> bytes:
    """One message; ``mode`` is a transfer encoding, 'html' or 'both'."""
    mail = EmailMessage(policy=SMTP)
    mail["From"] = sender.replace("Ruben & Hale <", '"Ruben & Hale" <')
    mail["To"] = "Warranty Desk <warranty@trailtracker.example>"
    mail["Date"] = sent
    mail["Subject"] = subject
    mail["Message-ID"] = f"<claim-{number:04d}@mail.example>"
    page = "".join(
        f"<p>{part.replace('&', '&amp;').replace('<', '&lt;')}</p>\n" for part in text.split("\n\n")
    )
    page = f"<html><body>\n{page.replace(chr(10) + '- ', '<br>- ')}</body></html>\n"
    if mode == "html":
        mail.set_content(page, subtype="html", cte="quoted-printable")
    elif mode == "both":
        mail.set_content(text, cte="quoted-printable")
        mail.add_alternative(page, subtype="html", cte="quoted-printable")
        mail.set_boundary(f"part-{number:04d}")
    else:
        mail.set_content(text, cte=mode)
    return mail.as_bytes()


def _doc(number: int, content: bytes, truth: tuple[object, ...], **w: tuple[str, ...]) -> Document:
    names = [str(entry["name"]) for entry in SCHEMA]
    values: dict[str, object] = dict(zip(names, truth, strict=True))
    return Document(f"claim_{number:02d}.eml", content, values, w)


def documents() -> list[Document]:
    """The fifteen messages."""
    return [
        _doc(
            1,
            _mail(
                1,
                CASTELL,
                "Fri, 03 Feb 2023 09:12:00 -0500",
                "Warranty claim WC-3301",
                """Dear warranty team,

two TR-200 devices bought on November 12, 2022 no longer hold a charge. The battery is dead in
both. We claim $240.00. Photos are attached.

Best regards,
Castell Outdoor
""",
            ),
            ("WC-3301", date(2023, 2, 3), "Castell Outdoor", "TR-200", "Battery", 240.0, 2, True),
            fault=("battery",),
            units=("two TR-200 devices",),
            photos_attached=("Photos are attached",),
        ),
        _doc(
            2,
            _mail(
                2,
                YARROW,
                "Tue, 14 Feb 2023 23:40:00 -0800",
                "Claim WC-3304: TR-350 display",
                """Claim form
- Reference: WC-3304
- Dealer: Yarrow Sports & Leisure
- Model: TR-350
- Date of purchase: 06/30/2022
- Fault: Display (black lines)
- Units: 1
- Amount claimed: $189.50
- Photos attached: no
""",
            ),
            ("WC-3304", date(2023, 2, 14), "Yarrow Sports", "TR-350", "Display", 189.5, 1, False),
            dealer=("Yarrow Sports & Leisure",),
            photos_attached=("Photos attached: no",),
        ),
        _doc(
            3,
            _mail(
                3,
                CASTELL,
                "Wed, 01 Mar 2023 15:05:00 -0500",
                "Chargers",
                """Hi,

three chargers for the TR200 failed within a week. The list price is $24.95 each; what we would
like back from you is $59.90 in all. No claim number yet, please assign one.

Castell Outdoor LLC
""",
                "quoted-printable",
            ),
            (None, date(2023, 3, 1), "Castell Outdoor", "TR-200", "Charger", 59.9, 3, None),
            model=("TR200",),
            fault=("chargers",),
            units=("three chargers",),
        ),
        _doc(
            4,
            _mail(
                4,
                POLDEN,
                "Mon, 20 Mar 2023 08:30:00 +0000",
                "WC-3312 battery swelling",
                """Dear Sir or Madam,

We report four faulty units of the model TR-500 under reference WC-3312. In each of them the
battery has swollen. We will tell you the amount when our workshop has finished.

Pictures are attached to this message.

Yours faithfully,
Polden Supply Co.
""",
                "html",
            ),
            ("WC-3312", date(2023, 3, 20), "Polden Supply", "TR-500", "Battery", None, 4, True),
            fault=("battery",),
            units=("four faulty units",),
            photos_attached=("Pictures are attached",),
        ),
        _doc(
            5,
            _mail(
                5,
                YARROW,
                "Tue, 04 Apr 2023 10:00:00 -0700",
                "Claim WC-3315: TR-200 software",
                """Claim form
- Reference: WC-3315
- Dealer: Yarrow Sports & Leisure
- Model: TR-200
- Date of purchase: 01/15/2023
- Fault: Software (restarts during update)
- Units: 6
- Amount claimed: to be agreed
- Photos attached: no
""",
            ),
            ("WC-3315", date(2023, 4, 4), "Yarrow Sports", "TR-200", "Software", None, 6, False),
            photos_attached=("Photos attached: no",),
        ),
        _doc(
            6,
            _mail(
                6,
                RUBEN,
                "Tue, 18 Apr 2023 17:45:00 -0400",
                "RE: cracked housing, WC-3320",
                """Hello Nadia,

as you asked: it is 1 unit, the housing is cracked at the clip, and we claim USD 75. Photos
attached this time!

Ruben and Hale

On Fri, 14 Apr 2023 at 11:02, Warranty Desk wrote:
> Please tell us the number of units and the amount, and send photos.
> Your claim WC-3320 is on hold until then.
""",
                "both",
            ),
            ("WC-3320", date(2023, 4, 18), "Ruben & Hale", None, "Housing", 75.0, 1, True),
            fault=("housing",),
            photos_attached=("Photos\nattached", "Photos attached"),
        ),
        _doc(
            7,
            _mail(
                7,
                CASTELL,
                "Tue, 09 May 2023 11:11:00 -0400",
                "Warranty claim WC-3322",
                """Dear warranty team,

we had two TR-350 with leaking batteries on May 2, 2023. Customer paid $649.00 for the pair in
2021. Our claim is for $410.25, see the enclosed photos.

Best regards,
CASTELL OUTDOOR
""",
                "base64",
            ),
            ("WC-3322", date(2023, 5, 9), "Castell Outdoor", "TR-350", "Battery", 410.25, 2, True),
            fault=("batteries",),
            units=("two TR-350",),
            photos_attached=("enclosed photos",),
        ),
        _doc(
            8,
            _mail(
                8,
                POLDEN,
                "Tue, 30 May 2023 13:20:00 +0000",
                "Claim WC-3327",
                """Dear Sir or Madam,

Under reference WC-3327 we claim $132.00 for TR-200 devices with a faulty display. The exact
number of devices will follow. We have no photos.

Yours faithfully,
Polden Supply Co.
""",
                "html",
            ),
            (
                "WC-3327",
                date(2023, 5, 30),
                "Polden Supply",
                "TR-200",
                "Display",
                132.0,
                None,
                False,
            ),
            fault=("display",),
            photos_attached=("no photos",),
        ),
        _doc(
            9,
            _mail(
                9,
                YARROW,
                "Mon, 12 Jun 2023 16:00:00 -0700",
                "New claim, TR-500",
                """Claim form
- Reference: (new)
- Dealer: Yarrow Sports & Leisure
- Model: TR-500
- Date of purchase: 03/03/2023
- Fault: Battery
- Units: 5
- Amount claimed: $998.00
- Photos attached: yes
""",
            ),
            (None, date(2023, 6, 12), "Yarrow Sports", "TR-500", "Battery", 998.0, 5, True),
            photos_attached=("Photos attached: yes",),
        ),
        _doc(
            10,
            _mail(
                10,
                RUBEN,
                "Fri, 07 Jul 2023 09:00:00 -0400",
                "Two chargers (WC-3333)",
                """Hello Nadia,

here come two more chargers for the TR350, 44.40 dollars together, claim WC-3333. Sorry, no photos
this time.

Ruben and Hale
""",
                "both",
            ),
            ("WC-3333", date(2023, 7, 7), "Ruben & Hale", "TR-350", "Charger", 44.4, 2, False),
            model=("TR350",),
            fault=("chargers",),
            units=("two more chargers",),
            photos_attached=("no photos",),
        ),
        _doc(
            11,
            _mail(
                11,
                CASTELL,
                "Mon, 21 Aug 2023 12:30:00 -0400",
                "Warranty claim WC-3338",
                """Dear warranty team,

one Tracker 500 (TR-500) came back from a customer on August 14, 2023. We do not know what failed.
We claim $620.00; photos are attached.

Best regards,
Castell Outdoor
""",
            ),
            ("WC-3338", date(2023, 8, 21), "Castell Outdoor", "TR-500", None, 620.0, 1, True),
            units=("one Tracker 500",),
            photos_attached=("photos are attached",),
        ),
        _doc(
            12,
            _mail(
                12,
                YARROW,
                "Sat, 02 Sep 2023 08:15:00 -0700",
                "WC-3340 batteries",
                """Claim form
- Reference: WC-3340
- Dealer: Yarrow Sports & Leisure
- Model:
- Date of purchase: 05/20/2023
- Fault: Battery
- Units:
- Amount claimed: $155.75
- Photos attached:
""",
            ),
            ("WC-3340", date(2023, 9, 2), "Yarrow Sports", None, "Battery", 155.75, None, None),
        ),
        _doc(
            13,
            _mail(
                13,
                POLDEN,
                "Mon, 16 Oct 2023 07:55:00 +0000",
                "Claim WC-3346, software of TR-350",
                """Dear Sir or Madam,

Eight TR-350 lose their maps after the software update of 9 October 2023. Our claim, reference
WC-3346, is for $88.00 of workshop time. Photos would show nothing, so we attach none.

Yours faithfully,
Polden Supply Co.
""",
                "quoted-printable",
            ),
            ("WC-3346", date(2023, 10, 16), "Polden Supply", "TR-350", "Software", 88.0, 8, False),
            fault=("software",),
            units=("Eight TR-350",),
            photos_attached=("we attach none",),
        ),
        _doc(
            14,
            _mail(
                14,
                "Store <store@shop.example>",
                "Mon, 27 Nov 2023 18:22:00 -0600",
                "WC-3349",
                """TR 200, one unit, housing broken at delivery on 11/24/2023, WC-3349,
$35.20 please. Photo attached.
""",
                "quoted-printable",
            ),
            ("WC-3349", date(2023, 11, 27), None, "TR-200", "Housing", 35.2, 1, True),
            model=("TR 200",),
            fault=("housing",),
            units=("one unit",),
            photos_attached=("Photo attached",),
        ),
        _doc(
            15,
            _mail(
                15,
                CASTELL,
                "Mon, 08 Jan 2024 10:40:00 -0500",
                "Warranty claim WC-3352",
                """Dear warranty team,

the display of two TR-350 went dark on December 29, 2023. We claim $267.30. The photos did not come
out, so none are attached.

Best regards,
Castell Outdoor
""",
            ),
            ("WC-3352", date(2024, 1, 8), "Castell Outdoor", "TR-350", "Display", 267.3, 2, False),
            fault=("display",),
            units=("two TR-350",),
            photos_attached=("none are attached",),
        ),
    ]
