"""Legal forms of organisations, as they stand behind a name: "Ltd", "GmbH & Co. KG", "S.L.".

A pattern for one form in any case, without the full stop behind it. Forms that are words or codes
when they are written small, such as "AS" or "CC", count in capitals only.
"""

_ENGLISH = (
    r"Inc(?:orporated)?|Corp(?:oration)?|Co|Company|Ltd|Limited|L\.?L\.?C|L\.?L\.?P|P\.?L\.?L\.?C"
    r"|L\.?P|P\.?L\.?C|P\.?C|U\.?L\.?C|D\.?A\.?C|C\.?L\.?G|C\.?I\.?C|(?-i:CIO|CC)"
)
_GERMAN = (
    r"g?GmbH|Ges\.?\s?m\.?\s?b\.?\s?H|mbH|AG|KGaA|KG|OHG|(?-i:OG|UG|SE)|PartG(?:\s?mbB)?|mbB"
    r"|e\.\s?K(?:fm|fr)?|e\.\s?V|e\.\s?U|eG"
)
_ROMANCE = (
    r"S\.?A\.?\s?de\s?C\.?V|S\.?A\.?S\.?U?|S\.?A\.?R\.?L|SARL|SELARL|EURL|E\.?I\.?R\.?L|SPRL|S\.?N\.?C|SCOP|ASBL"
    r"|S\.?A|S\.?p\.?A|S\.?r\.?l\.?s?|S\.?a\.?s|S\.L\.?(?:[UP]\.?|L)?|(?-i:SLU?)|S\.?\s?Coop"
    r"|S\.?\s?de\s?R\.?L|S\.A\.[CBEL]|Lda|Ltda|Unipessoal"
)
_NORTHERN = (
    r"B\.?V|N\.?V|BVBA|VZW|V\.O\.F|(?-i:VOF|AS|HB|ANS)|AB|A/S|ApS|ASA|IVS|I/S|K/S|P/S|A\.m\.b\.a"
    r"|Oyj?|(?-i:Ky)|OÜ|UAB|(?-i:SIA)|e?hf"
)
_EASTERN = (
    r"Kft|Zrt|Nyrt|s\.\s?r\.\s?o|spol\.|v\.\s?o\.\s?s|a\.\s?s|d\.\s?o\.\s?o|d\.\s?d"
    r"|Sp\.\s?z\s?o\.\s?o|E?OOD|JSC|(?-i:OOO|ZAO|PAO)|A\.?Ş|Şti"
)
_OVERSEAS = (
    r"Pty|Pte|Pvt|Proprietary|Sdn\.?\s?Bhd|S/B|Bhd|Berhad|Tbk|K\.?K|G\.K|FZ(?:E|CO|-LLC)"
    r"|W\.?L\.?L|N\.A"
)
LEGAL_FORM = f"(?:{_ENGLISH}|{_GERMAN}|{_ROMANCE}|{_NORTHERN}|{_EASTERN}|{_OVERSEAS})"
"""One form; to be used with `re.IGNORECASE`."""
