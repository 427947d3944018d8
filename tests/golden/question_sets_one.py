"""Questions about accident reports, quarterly statements and agreements."""

from __future__ import annotations

from datetime import date

from tests.golden.truth import Question, asker, most

QUESTIONS: list[Question] = []

# Accident reports --------------------------------------------------------------------------------
ask = asker("lift_truck_accidents", QUESTIONS)

ask(
    "terse",
    "number",
    "Number of accident reports from California?",
    lambda r: r.eq("state", "California").count(),
)
ask(
    "chatty",
    "number",
    "Could you tell me how many of these accidents happened in Texas during loading?",
    lambda r: r.eq("state", "Texas").eq("phase", "Loading").count(),
)
ask(
    "formal",
    "documents",
    "Please list all accident reports in which more than one person was injured.",
    lambda r: r.gt("injured", 1).names(),
)
ask(
    "hurried",
    "number",
    "how many accidents happend in 2023",
    lambda r: r.year("accident_date", 2023).count(),
)
ask(
    "non-native",
    "number",
    "How many accidents took place in the month of June, in any year?",
    lambda r: r.month("accident_date", 6).count(),
)
ask("terse", "groups", "Accidents by state.", lambda r: r.counts("state"))
ask(
    "formal",
    "groups",
    "What is the average operator experience, in hours, for each manufacturer?",
    lambda r: r.means("manufacturer", "operator_hours"),
)
ask(
    "chatty",
    "text",
    "I'm curious, which manufacturer shows up most often in these reports?",
    lambda r: most(r.counts("manufacturer")),
)
ask("terse", "date", "Date of the oldest accident?", lambda r: r.min("accident_date"))
ask(
    "hurried",
    "number",
    "whats the highest number of injured in one report",
    lambda r: r.max("injured"),
)
ask(
    "formal",
    "number",
    "What is the total number of persons injured across all reports?",
    lambda r: r.sum("injured"),
)
ask(
    "non-native",
    "number",
    "What is the average of the operator hours over all the reports?",
    lambda r: r.mean("operator_hours"),
)
ask("terse", "number", "How many different states?", lambda r: len(r.distinct("state")))
ask(
    "formal",
    "share",
    "Of the reports that state whether the operator was certified, what share concern a "
    "certified operator?",
    lambda r: r.having("operator_certified").share(r.eq("operator_certified", True)),
)
ask(
    "chatty",
    "documents",
    "Could you show me the three reports with the most operator hours, biggest first, please?",
    lambda r: r.sorted("operator_hours", largest_first=True, limit=3),
    ordered=True,
)
ask(
    "hurried",
    "documents",
    "reports without a report number",
    lambda r: r.without("report_number").names(),
)
ask(
    "non-native",
    "documents",
    "Which reports do not mention the state in which the accident happened?",
    lambda r: r.without("state").names(),
)
ask(
    "formal",
    "documents",
    "List the reports in which the operator was not certified.",
    lambda r: r.eq("operator_certified", False).names(),
)
ask("terse", "groups", "Total injured per phase.", lambda r: r.sums("phase", "injured"))
ask(
    "chatty",
    "number",
    "How many folks were hurt in Ohio altogether?",
    lambda r: r.eq("state", "Ohio").sum("injured"),
)
ask(
    "formal",
    "documents",
    "Which accidents in California involved a truck manufactured by Norlift?",
    lambda r: r.eq("state", "California").eq("manufacturer", "Norlift").names(),
)
ask(
    "non-native",
    "number",
    "How many accidents happened in a state other than California?",
    lambda r: r.ne("state", "California").count(),
)
ask(
    "hurried",
    "documents",
    "accidents where operator had under 100 hours",
    lambda r: r.lt("operator_hours", 100).names(),
)
ask(
    "terse",
    "documents",
    "Latest three accidents, newest first.",
    lambda r: r.sorted("accident_date", largest_first=True, limit=3),
    ordered=True,
)
ask(
    "chatty",
    "number",
    "How many accidents did we have from April 1, 2021 to June 30, 2022, would you say?",
    lambda r: r.between("accident_date", date(2021, 4, 1), date(2022, 6, 30)).count(),
)
ask(
    "non-native",
    "text",
    "In which state were the most persons injured?",
    lambda r: most(r.sums("state", "injured")),
)
ask(
    "formal", "values", "Which states occur in the accident reports?", lambda r: r.distinct("state")
)
ask("terse", "groups", "Accidents per year.", lambda r: r.by_year("accident_date"))
ask(
    "chatty",
    "share",
    "Roughly what share of these accidents happened in California?",
    lambda r: r.having("state").share(r.eq("state", "California")),
    also=[lambda r: r.share(r.eq("state", "California"))],
)
ask(
    "hurried",
    "number",
    "how many reports with nobody injured",
    lambda r: r.eq("injured", 0).count(),
)

# Quarterly statements ----------------------------------------------------------------------------
ask = asker("quarterly_statements", QUESTIONS)

ask(
    "terse",
    "number",
    "How many statements from Alder Foods?",
    lambda r: r.eq("company", "Alder Foods").count(),
)
ask(
    "formal",
    "number",
    "What was the total revenue of Brightwater Energy across all of its statements?",
    lambda r: r.eq("company", "Brightwater Energy").sum("revenue"),
)
ask(
    "chatty",
    "documents",
    "So, which of the quarterly statements show a loss?",
    lambda r: r.lt("net_income", 0).names(),
)
ask(
    "hurried",
    "number",
    "totl net income of all quarters that ended in 2022",
    lambda r: r.year("period_end", 2022).sum("net_income"),
)
ask(
    "formal",
    "groups",
    "What is the average quarterly revenue of each company?",
    lambda r: r.means("company", "revenue"),
)
ask("terse", "number", "Highest revenue in a quarter?", lambda r: r.max("revenue"))
ask(
    "chatty",
    "text",
    "Which company had the single largest net income in a quarter, do you know?",
    lambda r: r.of_max("net_income", "company"),
)
ask(
    "non-native",
    "number",
    "How many statements were reviewed by an independent auditor?",
    lambda r: r.eq("reviewed", True).count(),
)
ask(
    "formal",
    "number",
    "How many statements say that they were not reviewed by an auditor?",
    lambda r: r.eq("reviewed", False).count(),
)
ask("terse", "groups", "Number of statements per company.", lambda r: r.counts("company"))
ask(
    "hurried",
    "documents",
    "statements without number of employees",
    lambda r: r.without("employees").names(),
)
ask(
    "non-native",
    "documents",
    "Which statements do not give the cash at the end of the quarter?",
    lambda r: r.without("cash").names(),
)
ask(
    "formal",
    "documents",
    "List the three statements with the largest revenue, largest first.",
    lambda r: r.sorted("revenue", largest_first=True, limit=3),
    ordered=True,
)
ask(
    "chatty",
    "date",
    "What's the latest quarter end we have in the pile?",
    lambda r: r.max("period_end"),
)
ask(
    "non-native",
    "number",
    "What is the average number of employees of Cobalt Systems?",
    lambda r: r.eq("company", "Cobalt Systems").mean("employees"),
)
ask(
    "terse",
    "number",
    "Quarters ended in 2023: how many statements?",
    lambda r: r.year("period_end", 2023).count(),
)
ask(
    "formal",
    "documents",
    "Which statements concern a quarter that ended in June 2022?",
    lambda r: r.between("period_end", date(2022, 6, 1), date(2022, 6, 30)).names(),
)
ask(
    "formal",
    "share",
    "What share of the statements that give a net income report a loss?",
    lambda r: r.having("net_income").share(r.lt("net_income", 0)),
)
ask("terse", "number", "How many different companies?", lambda r: len(r.distinct("company")))
ask(
    "hurried",
    "documents",
    "statements with revenue over 50 million",
    lambda r: r.gt("revenue", 50_000_000).names(),
)
ask("formal", "number", "What is the lowest cash balance reported?", lambda r: r.min("cash"))
ask(
    "chatty",
    "documents",
    "And which statement was it that had the lowest cash balance?",
    lambda r: r.sorted("cash", limit=1),
)
ask(
    "non-native",
    "documents",
    "Please sort the statements of Delmar Textiles by the end of the quarter, oldest first.",
    lambda r: r.eq("company", "Delmar Textiles").sorted("period_end"),
    ordered=True,
)
ask("terse", "groups", "Total net income by company.", lambda r: r.sums("company", "net_income"))
ask(
    "hurried",
    "number",
    "how many reviewed statements with net income above 3 million",
    lambda r: r.eq("reviewed", True).gt("net_income", 3_000_000).count(),
)
ask(
    "chatty",
    "text",
    "Just wondering, which company had the fewest employees in any quarter?",
    lambda r: r.of_min("employees", "company"),
)
ask(
    "hurried",
    "groups",
    "number of statements for each quarter end",
    lambda r: r.counts("period_end"),
)
ask(
    "formal",
    "groups",
    "How many statements were issued for quarters ending in each year?",
    lambda r: r.by_year("period_end"),
)
ask(
    "non-native",
    "documents",
    "Which statements of Cobalt Systems show a revenue over 10 million?",
    lambda r: r.eq("company", "Cobalt Systems").gt("revenue", 10_000_000).names(),
)

# Agreements --------------------------------------------------------------------------------------
ask = asker("agreements", QUESTIONS)

ask("terse", "number", "How many leases?", lambda r: r.eq("agreement_type", "Lease").count())
ask(
    "formal",
    "number",
    "How many services agreements are governed by the law of the State of New York?",
    lambda r: r.eq("agreement_type", "Services").eq("governing_law", "New York").count(),
)
ask(
    "chatty",
    "documents",
    "Can you pull up the agreements that took effect in 2021?",
    lambda r: r.year("effective_date", 2021).names(),
)
ask("terse", "groups", "Agreements by type.", lambda r: r.counts("agreement_type"))
ask(
    "formal",
    "groups",
    "What is the average annual fee for each type of agreement?",
    lambda r: r.means("agreement_type", "annual_fee"),
)
ask(
    "hurried",
    "text",
    "which provider has the most agreements",
    lambda r: most(r.counts("provider")),
)
ask("terse", "number", "Highest annual fee?", lambda r: r.max("annual_fee"))
ask(
    "non-native",
    "date",
    "What is the earliest effective date of all the agreements?",
    lambda r: r.min("effective_date"),
)
ask(
    "formal",
    "number",
    "What is the sum of the annual fees of all services agreements?",
    lambda r: r.eq("agreement_type", "Services").sum("annual_fee"),
)
ask(
    "chatty",
    "number",
    "On average, how many months do these agreements run for?",
    lambda r: r.mean("term_months"),
)
ask(
    "terse",
    "number",
    "Number of different governing laws?",
    lambda r: len(r.distinct("governing_law")),
)
ask(
    "formal",
    "share",
    "Among the agreements that address renewal, what share renews automatically?",
    lambda r: r.having("auto_renewal").share(r.eq("auto_renewal", True)),
)
ask(
    "non-native",
    "documents",
    "Please show the three agreements with the highest annual fee, beginning with the highest.",
    lambda r: r.sorted("annual_fee", largest_first=True, limit=3),
    ordered=True,
)
ask(
    "hurried",
    "documents",
    "agreements without a governing law",
    lambda r: r.without("governing_law").names(),
)
ask(
    "formal",
    "documents",
    "Which agreements do not state a period of notice?",
    lambda r: r.without("notice_days").names(),
)
ask(
    "chatty",
    "documents",
    "Which ones will just renew automatically if we do nothing?",
    lambda r: r.eq("auto_renewal", True).names(),
)
ask(
    "terse",
    "number",
    "How many do not renew automatically?",
    lambda r: r.eq("auto_renewal", False).count(),
)
ask(
    "non-native",
    "documents",
    "In which agreements is the period of notice longer than 60 days?",
    lambda r: r.gt("notice_days", 60).names(),
)
ask(
    "formal",
    "documents",
    "List the agreements under California law with a notice period of 30 days.",
    lambda r: r.eq("governing_law", "California").eq("notice_days", 30).names(),
)
ask(
    "chatty",
    "documents",
    "Which agreements run for three years?",
    lambda r: r.eq("term_months", 36).names(),
)
ask(
    "hurried",
    "groups",
    "sum of annual fees per governing law",
    lambda r: r.sums("governing_law", "annual_fee"),
)
ask("terse", "date", "Most recent effective date?", lambda r: r.max("effective_date"))
ask(
    "non-native",
    "documents",
    "Which agreements do not state the length of the initial term?",
    lambda r: r.without("term_months").names(),
)
ask(
    "formal",
    "documents",
    "List all agreements with Fenwick Maintenance by effective date, earliest first.",
    lambda r: r.eq("provider", "Fenwick Maintenance LLC").sorted("effective_date"),
    ordered=True,
)
ask(
    "chatty",
    "text",
    "Who is the provider with the lowest annual fee, by the way?",
    lambda r: r.of_min("annual_fee", "provider"),
)
ask(
    "hurried",
    "number",
    "how many agreements longer than 24 months",
    lambda r: r.gt("term_months", 24).count(),
)
ask(
    "formal",
    "values",
    "Under which governing laws do the agreements stand?",
    lambda r: r.distinct("governing_law"),
)
ask("terse", "groups", "Agreements taking effect, per year.", lambda r: r.by_year("effective_date"))
ask(
    "non-native", "values", "Please list the different providers.", lambda r: r.distinct("provider")
)
