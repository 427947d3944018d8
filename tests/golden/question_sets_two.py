"""Questions about invoices, minutes and warranty claims."""

from __future__ import annotations

from datetime import date

from tests.golden.truth import Question, asker, most

QUESTIONS: list[Question] = []

# Invoices ----------------------------------------------------------------------------------------
ask = asker("invoices", QUESTIONS)

ask(
    "terse",
    "number",
    "How many invoices from Kestrel Stationery?",
    lambda r: r.eq("supplier", "Kestrel Stationery").count(),
)
ask(
    "formal",
    "number",
    "How many invoices have not been paid yet?",
    lambda r: r.eq("paid", False).count(),
)
ask(
    "chatty",
    "groups",
    "What do all the invoices add up to in total?",
    lambda r: r.sums("currency", "total"),
    also=[lambda r: r.sums("currency", "total") | {"unknown": r.without("currency").sum("total")}],
)
ask("hurried", "groups", "invoices per supplier, just the count", lambda r: r.counts("supplier"))
ask(
    "terse",
    "number",
    "Largest invoice total in EUR?",
    lambda r: r.eq("currency", "EUR").max("total"),
)
ask(
    "non-native",
    "number",
    "What is the average total of the invoices in pounds sterling?",
    lambda r: r.eq("currency", "GBP").mean("total"),
)
ask(
    "formal",
    "documents",
    "Which invoices fall due in May 2023?",
    lambda r: r.between("due_date", date(2023, 5, 1), date(2023, 5, 31)).names(),
)
ask(
    "hurried",
    "documents",
    "invoices without a purchase order",
    lambda r: r.without("purchase_order").names(),
)
ask(
    "non-native",
    "documents",
    "Which invoices do not show a due date?",
    lambda r: r.without("due_date").names(),
)
ask("terse", "date", "Date of the first invoice?", lambda r: r.min("invoice_date"))
ask(
    "chatty",
    "date",
    "When is the very last due date among all of these?",
    lambda r: r.max("due_date"),
)
ask(
    "formal",
    "share",
    "Of the invoices that show whether they have been paid, what share has been paid?",
    lambda r: r.having("paid").share(r.eq("paid", True)),
)
ask(
    "chatty",
    "documents",
    "Would you list the three largest invoices in US dollars for me, largest first?",
    lambda r: r.eq("currency", "USD").sorted("total", largest_first=True, limit=3),
    ordered=True,
)
ask("terse", "number", "Number of different suppliers?", lambda r: len(r.distinct("supplier")))
ask(
    "formal",
    "number",
    "What is the total of the unpaid invoices in GBP?",
    lambda r: r.eq("paid", False).eq("currency", "GBP").sum("total"),
)
ask(
    "hurried",
    "documents",
    "EUR invoices over 2000",
    lambda r: r.eq("currency", "EUR").gt("total", 2000).names(),
)
ask(
    "non-native",
    "documents",
    "Please give me the invoices dated in March 2023.",
    lambda r: r.between("invoice_date", date(2023, 3, 1), date(2023, 3, 31)).names(),
)
ask("chatty", "text", "Who sends us the most invoices?", lambda r: most(r.counts("supplier")))
ask("terse", "groups", "Average total by currency.", lambda r: r.means("currency", "total"))
ask(
    "formal",
    "number",
    "How many invoices are in a currency other than US dollars?",
    lambda r: r.ne("currency", "USD").count(),
)
ask(
    "non-native",
    "documents",
    "Which invoice does not tell its currency?",
    lambda r: r.without("currency").names(),
)
ask(
    "hurried",
    "text",
    "invoice number for order PO-7812",
    lambda r: r.eq("purchase_order", "PO-7812").vals("invoice_number")[0],
)
ask(
    "formal",
    "documents",
    "List the invoices of Blackheath Print in order of invoice date, oldest first.",
    lambda r: r.eq("supplier", "Blackheath Print Ltd").sorted("invoice_date"),
    ordered=True,
)
ask(
    "chatty",
    "number",
    "How many bills did Weber send us in the first half of 2023?",
    lambda r: (
        r.eq("supplier", "Weber Bürobedarf GmbH")
        .between("invoice_date", date(2023, 1, 1), date(2023, 6, 30))
        .count()
    ),
)
ask(
    "terse",
    "groups",
    "Unpaid amount, by currency.",
    lambda r: r.eq("paid", False).sums("currency", "total"),
)
ask(
    "non-native",
    "number",
    "What is the smallest total of the invoices of Blackheath Print?",
    lambda r: r.eq("supplier", "Blackheath Print Ltd").min("total"),
)
ask("terse", "groups", "Invoices per month, by invoice date.", lambda r: r.by_month("invoice_date"))
ask(
    "chatty",
    "share",
    "What share of our invoices is in euros, would you know?",
    lambda r: r.having("currency").share(r.eq("currency", "EUR")),
    also=[lambda r: r.share(r.eq("currency", "EUR"))],
)
ask("formal", "values", "Please name the different suppliers.", lambda r: r.distinct("supplier"))
ask(
    "hurried",
    "documents",
    "invoices that dont say if they were paid",
    lambda r: r.without("paid").names(),
)

# Minutes -----------------------------------------------------------------------------------------
ask = asker("minutes", QUESTIONS)

ask(
    "terse",
    "number",
    "How many meetings of the Finance Committee?",
    lambda r: r.eq("committee", "Finance Committee").count(),
)
ask(
    "formal",
    "number",
    "How many meetings of the Parks Board had a quorum?",
    lambda r: r.eq("committee", "Parks Board").eq("quorum", True).count(),
)
ask(
    "chatty",
    "number",
    "How much money was approved in all of these meetings together?",
    lambda r: r.sum("approved_amount"),
)
ask(
    "terse",
    "groups",
    "Amount approved per committee.",
    lambda r: r.sums("committee", "approved_amount"),
)
ask(
    "non-native",
    "groups",
    "What is the average of the approved amount for each committee?",
    lambda r: r.means("committee", "approved_amount"),
)
ask("hurried", "text", "who chaired the most meetings", lambda r: most(r.counts("chair")))
ask("formal", "date", "On what date was the first meeting held?", lambda r: r.min("meeting_date"))
ask(
    "terse",
    "date",
    "Last meeting of the Parks Board: date?",
    lambda r: r.eq("committee", "Parks Board").max("meeting_date"),
)
ask(
    "chatty",
    "number",
    "How many of the meetings did Owen Tarrant show up at?",
    lambda r: r.with_member("attendees", "Owen Tarrant").count(),
)
ask(
    "formal",
    "documents",
    "List the minutes of the meetings that Felix Aumont attended.",
    lambda r: r.with_member("attendees", "Felix Aumont").names(),
)
ask("terse", "groups", "Meetings by location.", lambda r: r.counts("location"))
ask(
    "non-native",
    "documents",
    "In which meetings was there no quorum?",
    lambda r: r.eq("quorum", False).names(),
)
ask(
    "hurried",
    "documents",
    "minutes without an approved amount",
    lambda r: r.without("approved_amount").names(),
)
ask(
    "formal",
    "number",
    "What is the highest number of motions carried at one meeting?",
    lambda r: r.max("motions_carried"),
)
ask(
    "chatty",
    "number",
    "All in all, how many motions were carried?",
    lambda r: r.sum("motions_carried"),
)
ask("terse", "number", "How many different chairs?", lambda r: len(r.distinct("chair")))
ask(
    "formal",
    "share",
    "Of the minutes that record it, what share records a quorum?",
    lambda r: r.having("quorum").share(r.eq("quorum", True)),
)
ask(
    "non-native",
    "documents",
    "Please list the three largest approved amounts, with the largest first.",
    lambda r: r.sorted("approved_amount", largest_first=True, limit=3),
    ordered=True,
)
ask(
    "hurried", "number", "how many meetings in 2023", lambda r: r.year("meeting_date", 2023).count()
)
ask(
    "formal",
    "documents",
    "Which meetings were attended by both Priya Sandhu and Luc Ferrand?",
    lambda r: (
        r.with_member("attendees", "Priya Sandhu").with_member("attendees", "Luc Ferrand").names()
    ),
)
ask(
    "terse",
    "groups",
    "Motions carried, total by committee.",
    lambda r: r.sums("committee", "motions_carried"),
)
ask(
    "non-native",
    "number",
    "How many meetings took place in another location than the Town Hall?",
    lambda r: r.ne("location", "Town Hall").count(),
)
ask("hurried", "documents", "minutes without a date", lambda r: r.without("meeting_date").names())
ask(
    "formal",
    "documents",
    "List the meetings of the Library Trustees by date, earliest first.",
    lambda r: r.eq("committee", "Library Trustees").sorted("meeting_date"),
    ordered=True,
)
ask(
    "chatty",
    "documents",
    "Which meetings got fewer than two motions carried?",
    lambda r: r.lt("motions_carried", 2).names(),
)
ask(
    "non-native",
    "text",
    "Which person attended the most meetings of the Library Trustees?",
    lambda r: most(r.eq("committee", "Library Trustees").members("attendees")),
)
ask(
    "chatty",
    "values",
    "Where do they usually meet? Just list the different locations for me.",
    lambda r: r.distinct("location"),
)
ask(
    "formal",
    "groups",
    "How many meetings did each committee hold?",
    lambda r: r.counts("committee"),
)
ask("hurried", "groups", "meetings per year", lambda r: r.by_year("meeting_date"))
ask(
    "terse",
    "groups",
    "Meetings attended, per trustee of the library.",
    lambda r: r.eq("committee", "Library Trustees").members("attendees"),
)

# Warranty claims ---------------------------------------------------------------------------------
ask = asker("warranty_claims", QUESTIONS)

ask(
    "terse",
    "number",
    "Claims from Castell Outdoor: how many?",
    lambda r: r.eq("dealer", "Castell Outdoor").count(),
)
ask(
    "formal",
    "number",
    "How many claims about the battery were made by Yarrow Sports?",
    lambda r: r.eq("fault", "Battery").eq("dealer", "Yarrow Sports").count(),
)
ask(
    "chatty",
    "number",
    "What's the total amount people are claiming from us?",
    lambda r: r.sum("amount_claimed"),
)
ask("terse", "groups", "Amount claimed per dealer.", lambda r: r.sums("dealer", "amount_claimed"))
ask("hurried", "groups", "claims by fault pls", lambda r: r.counts("fault"))
ask(
    "formal",
    "groups",
    "What is the average amount claimed for each fault?",
    lambda r: r.means("fault", "amount_claimed"),
)
ask(
    "non-native", "groups", "How many claims are there for each model?", lambda r: r.counts("model")
)
ask("chatty", "text", "Which fault comes up most often, then?", lambda r: most(r.counts("fault")))
ask("terse", "date", "First claim sent when?", lambda r: r.min("sent_date"))
ask(
    "formal",
    "documents",
    "Which claims were sent in 2024?",
    lambda r: r.year("sent_date", 2024).names(),
)
ask(
    "hurried",
    "documents",
    "claims without a reference",
    lambda r: r.without("claim_reference").names(),
)
ask(
    "non-native",
    "documents",
    "Which claims came with photos?",
    lambda r: r.eq("photos_attached", True).names(),
)
ask(
    "formal",
    "number",
    "How many claims state that no photos are attached?",
    lambda r: r.eq("photos_attached", False).count(),
)
ask("terse", "number", "Total faulty units?", lambda r: r.sum("units"))
ask(
    "chatty",
    "text",
    "Which dealer is claiming the most money from us overall?",
    lambda r: most(r.sums("dealer", "amount_claimed")),
)
ask(
    "formal",
    "documents",
    "List the three largest claims by amount, the largest first.",
    lambda r: r.sorted("amount_claimed", largest_first=True, limit=3),
    ordered=True,
)
ask("hurried", "number", "smallest amount claimed", lambda r: r.min("amount_claimed"))
ask("terse", "number", "How many different models?", lambda r: len(r.distinct("model")))
ask(
    "formal",
    "share",
    "What share of the claims that name the fault concern the battery?",
    lambda r: r.having("fault").share(r.eq("fault", "Battery")),
)
ask(
    "non-native",
    "documents",
    "Please show me the claims that were sent in April 2023.",
    lambda r: r.between("sent_date", date(2023, 4, 1), date(2023, 4, 30)).names(),
)
ask(
    "hurried", "documents", "claims over 200 dollars", lambda r: r.gt("amount_claimed", 200).names()
)
ask(
    "formal",
    "documents",
    "Which claims do not state an amount?",
    lambda r: r.without("amount_claimed").names(),
)
ask(
    "chatty",
    "documents",
    "Some of them forgot to tell us the model, right? Which ones?",
    lambda r: r.without("model").names(),
)
ask(
    "terse",
    "number",
    "Claims from dealers other than Castell Outdoor?",
    lambda r: r.ne("dealer", "Castell Outdoor").count(),
)
ask(
    "non-native",
    "number",
    "What is the average number of units in a claim?",
    lambda r: r.mean("units"),
)
ask(
    "formal",
    "documents",
    "List the claims of Polden Supply in the order in which they were sent.",
    lambda r: r.eq("dealer", "Polden Supply").sorted("sent_date"),
    ordered=True,
)
ask(
    "hurried",
    "number",
    "how many TR-350 claims with photos",
    lambda r: r.eq("model", "TR-350").eq("photos_attached", True).count(),
)
ask(
    "chatty",
    "number",
    "And how much is being claimed for displays?",
    lambda r: r.eq("fault", "Display").sum("amount_claimed"),
)
ask("terse", "values", "Models claimed for?", lambda r: r.distinct("model"))
ask(
    "chatty",
    "share",
    "What share of the claims comes from Castell Outdoor, roughly?",
    lambda r: r.having("dealer").share(r.eq("dealer", "Castell Outdoor")),
    also=[lambda r: r.share(r.eq("dealer", "Castell Outdoor"))],
)
ask(
    "non-native",
    "groups",
    "How many units were claimed by each dealer in total?",
    lambda r: r.sums("dealer", "units"),
)
