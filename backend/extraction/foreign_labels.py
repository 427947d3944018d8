"""Office labels in German, French, Spanish, Dutch and Italian, with their English meaning.

One line per meaning, from dictionaries and office practice; labels that are English words too
("Bar", "Art") are left out. None belongs to a kind of document.
"""

_LABELS = """
invoice number = rechnungsnummer|rechnungs-nr.|rechnungs-nr|rechnungsnr.|rechnungsnr|rechnung nr.|\
belegnummer|numéro de facture|n° de facture|n° facture|facture n°|número de factura|nº de factura|\
factura nº|factuurnummer|factuurnr.|factuurnr|numero fattura|fattura n.|fattura nr.
invoice date = rechnungsdatum|rechnungs-datum|date de facture|date de facturation|date facture|\
fecha de factura|fecha factura|factuurdatum|data fattura
invoice = rechnung|facture|factura|factuur|fattura
issue date = ausstellungsdatum|ausgestellt am|erstellt am|date d'émission|émise le|émis le|\
fait le|fecha de emisión|fecha de expedición|datum van afgifte|afgiftedatum|data di emissione|\
rilasciato il|emesso il
due date = fälligkeitsdatum|fälligkeit|fällig am|fällig bis|zahlbar bis|zahlungsziel|\
zu zahlen bis|date d'échéance|date limite de paiement|échéance|à régler avant le|\
fecha de vencimiento|vencimiento|vervaldatum|vervaldag|te betalen voor|te betalen vóór|\
uiterste betaaldatum|data di scadenza|scadenza
delivery date = lieferdatum|liefertermin|leistungsdatum|liefer- und leistungsdatum|\
leistungszeitraum|date de livraison|fecha de entrega|leverdatum|leveringsdatum|data di consegna
order number = bestellnummer|bestell-nr.|auftragsnummer|auftrags-nr.|numéro de commande|\
n° de commande|número de pedido|nº de pedido|bestelnummer|ordernummer|numero d'ordine
order date = bestelldatum|auftragsdatum|date de commande|fecha de pedido|besteldatum|orderdatum|\
data dell'ordine
customer number = kundennummer|kunden-nr.|kundennr.|kundenkonto|numéro client|numéro de client|\
n° client|número de cliente|nº de cliente|klantnummer|klantnr.|numero cliente|codice cliente
contract number = vertragsnummer|vertrags-nr.|numéro de contrat|n° de contrat|número de contrato|\
contractnummer|numero di contratto
reference number = aktenzeichen|geschäftszeichen|unser zeichen|ihr zeichen|vorgangsnummer|\
n° de dossier|numéro de dossier|nos références|vos références|n/réf.|v/réf.|número de expediente|\
nº de expediente|dossiernummer|ons kenmerk|uw kenmerk|kenmerk|numero di pratica|protocollo n.
policy number = versicherungsnummer|versicherungsschein-nr.|policennummer|n° de police|\
numéro de police|número de póliza|polisnummer|numero di polizza
serial number = seriennummer|serien-nr.|numéro de série|n° de série|número de serie|serienummer|\
numero di serie|matricola
meter number = zählernummer|zähler-nr.|numéro de compteur|n° de compteur|número de contador|\
meternummer
net amount = nettobetrag|netto-betrag|nettosumme|summe netto|gesamt netto|zwischensumme|total ht|\
montant ht|montant hors taxe|sous-total|base imponible|importe neto|subtotaal|totaal excl. btw|\
totaal exclusief btw|bedrag excl. btw|imponibile|totale imponibile
tax = umsatzsteuer|mehrwertsteuer|mwst.|mwst|ust.|ust|tva|iva|btw|imposta
tax amount = steuerbetrag|montant tva|total tva|cuota iva|importe iva|btw-bedrag
gross total = gesamtbetrag|bruttobetrag|bruttosumme|endbetrag|rechnungsbetrag|gesamtsumme|\
summe brutto|rechnungssumme|total ttc|montant ttc|importe total|total factura|totaal incl. btw|\
totaal inclusief btw|totaalbedrag|eindbedrag|totale fattura|totale documento|importo totale
total = summe|gesamt|insgesamt|totaal|somme|totale
total due = zahlbetrag|noch zu zahlen|zu zahlen|zu zahlender betrag|offener betrag|nachzahlung|\
net à payer|à payer|reste à payer|solde à payer|montant dû|a pagar|total a pagar|importe a pagar|\
te betalen|te voldoen|nog te betalen|openstaand bedrag|da pagare|totale da pagare|netto a pagare
amount paid = bereits gezahlt|bereits bezahlt|anzahlung|abschläge gezahlt|acompte|déjà payé|\
acompte versé|anticipo|ya pagado|reeds betaald|aanbetaling|acconto|già pagato
cash change = rückgeld|wechselgeld|monnaie rendue|rendu monnaie|cambio devuelto|wisselgeld
discount = rabatt|nachlass|skonto|remise|rabais|escompte|descuento|korting|sconto
price = einzelpreis|stückpreis|e-preis|prix unitaire|precio unitario|eenheidsprijs|stukprijs|\
prezzo unitario
quantity = menge|anzahl|stückzahl|quantité|qté|cantidad|aantal|hoeveelheid|quantità
seller = verkäufer|lieferant|rechnungssteller|fournisseur|vendeur|proveedor|vendedor|leverancier|\
verkoper|fornitore|venditore
buyer = käufer|kunde|leistungsempfänger|rechnungsempfänger|rechnung an|acheteur|adressée à|\
facturé à|facturer à|cliente|comprador|klant|koper|factuur aan|acquirente|spettabile|spett.le
sender = absender|expéditeur|remitente|afzender|mittente
recipient = empfänger|destinataire|destinatario|ontvanger|geadresseerde
tax id = ust-idnr.|ust-id|ust-idnr|ust.-idnr.|umsatzsteuer-id|steuernummer|steuer-nr.|st.-nr.|\
n° tva|numéro de tva|tva intracommunautaire|nif|btw-nummer|btw nr.|partita iva|p. iva|p.iva
account number = kontonummer|konto-nr.|numéro de compte|n° de compte|número de cuenta|\
rekeningnummer|numero di conto
bank account = bankverbindung|compte bancaire|coordonnées bancaires|cuenta bancaria|bankrekening|\
conto corrente|coordinate bancarie
payment terms = zahlungsbedingungen|conditions de paiement|condiciones de pago|\
betalingsvoorwaarden|betaaltermijn|condizioni di pagamento
payment method = zahlungsart|zahlungsweise|mode de paiement|mode de règlement|forma de pago|\
betaalwijze|modalità di pagamento
currency = währung|moneda|divisa|munteenheid|valuta
birth date = geburtsdatum|geboren am|geb. am|geb.|date de naissance|né le|née le|\
fecha de nacimiento|geboortedatum|geboren op|data di nascita|nato il|nata il
birth place = geburtsort|lieu de naissance|lugar de nacimiento|geboorteplaats|luogo di nascita
first name = vorname|prénom|voornaam
last name = nachname|familienname|nom de famille|apellidos|achternaam|familienaam|cognome
address = anschrift|adresse|dirección|domicilio|adres|indirizzo
delivery address = lieferadresse|lieferanschrift|adresse de livraison|dirección de entrega|\
afleveradres|leveradres|indirizzo di consegna
supply address = verbrauchsstelle|lieferstelle|lieu de consommation|point de livraison|\
punto de suministro|leveringsadres|punto di fornitura
postcode = postleitzahl|plz|code postal|código postal|c.a.p.
phone = telefon|tel.-nr.|téléphone|teléfono|telefoon|telefono
mobile = mobiltelefon|móvil|mobiel|cellulare
date = datum|fecha
start date = beginn|vertragsbeginn|gültig ab|gültig von|date de début|date d'effet|prise d'effet|\
à compter du|fecha de inicio|begindatum|ingangsdatum|startdatum|geldig vanaf|data di inizio|\
decorrenza
end date = ende|vertragsende|date de fin|fecha de fin|fecha final|einddatum|data di fine
expiry date = gültig bis|ablaufdatum|gültigkeit bis|valable jusqu'au|date d'expiration|\
date de fin de validité|válido hasta|fecha de caducidad|geldig tot|data di scadenza
period = zeitraum|abrechnungszeitraum|période|période de facturation|período|periode|\
factuurperiode|periodo di riferimento
duration = laufzeit|dauer|vertragsdauer|durée|duración|looptijd|duur|durata
notice period = kündigungsfrist|délai de préavis|préavis|plazo de preaviso|opzegtermijn|\
termine di preavviso
meeting date = sitzungsdatum|sitzung vom|date de la réunion|date de la séance|fecha de la reunión|\
vergaderdatum|data della riunione
present = anwesend|anwesende|présents|étaient présents|asistentes|aanwezig|aanwezigen|presenti
absent = abwesend|entschuldigt|excusés|absents|ausentes|afwezig|assenti
chair = vorsitz|vorsitzender|vorsitzende|présidence|presidencia|voorzitter|presiede
secretary = schriftführer|schriftführung|protokollführer|secrétaire|secretario|notulist|segretario
agenda = tagesordnung|ordre du jour|orden del día|ordine del giorno
subject = betreff|betrifft|objet|asunto|onderwerp|betreft|oggetto
attachments = anlagen|pièces jointes|anexos|bijlagen|allegati
signature = unterschrift|firma del|handtekening
place = ort|lugar|plaats|luogo
employer = arbeitgeber|employeur|empleador|werkgever|datore di lavoro
employee = arbeitnehmer|salarié|trabajador|werknemer|lavoratore
landlord = vermieter|bailleur|arrendador|verhuurder|locatore
tenant = mieter|locataire|arrendatario|huurder|conduttore
rent = miete|kaltmiete|grundmiete|loyer|alquiler|huurprijs|canone
deposit = kaution|dépôt de garantie|fianza|waarborgsom|borgsom|cauzione|deposito cauzionale
salary = gehalt|lohn|vergütung|salaire|salario|sueldo|salaris|stipendio
gross pay = bruttolohn|bruttogehalt|gesamtbrutto|salaire brut|salario bruto|brutoloon|\
retribuzione lorda
net pay = nettolohn|auszahlungsbetrag|salaire net|net à payer au salarié|salario neto|nettoloon|\
netto in busta
insured = versicherungsnehmer|versicherter|assuré|asegurado|verzekerde|assicurato
insurer = versicherer|versicherung|assureur|aseguradora|verzekeraar|assicuratore
premium = beitrag|versicherungsbeitrag|prime annuelle|premie|premio annuo
consumption = verbrauch|consommation|consumo|verbruik
meter reading = zählerstand|relevé de compteur|lectura del contador|meterstand|\
lettura del contatore
previous reading = alter zählerstand|anfangsstand|ancien index|lectura anterior|beginstand
present reading = neuer zählerstand|endstand|nouvel index|lectura actual|eindstand
weight = gewicht|poids|peso|gewicht
gross weight = bruttogewicht|poids brut|peso bruto|brutogewicht|peso lordo
net weight = nettogewicht|poids net|peso neto|nettogewicht|peso netto
origin = ursprungsland|herkunft|pays d'origine|país de origen|land van herkomst|paese di origine
patient = patiente|paciente|patiënt|paziente
doctor = arzt|ärztin|médecin|médico|huisarts|medico curante
diagnosis = diagnose|diagnóstico|diagnosi
result = ergebnis|befund|résultat|resultado|uitslag|risultato|esito
court = gericht|amtsgericht|landgericht|juzgado|rechtbank|tribunale
plaintiff = kläger|klägerin|demandeur|demandante|eiser|attore
defendant = beklagter|beklagte|défendeur|demandado|gedaagde|convenuto
judge = richter|richterin|juge|juez|rechter|giudice
author = verfasser|verfasserin|bearbeiter|sachbearbeiter|rédacteur|rédigé par|redactado por|\
opgesteld door|redatto da
contact = ansprechpartner|ansprechpartnerin|interlocuteur|persona de contacto|contactpersoon|\
referente
approved = freigegeben von|genehmigt von|approuvé par|aprobado por|goedgekeurd door|approvato da
inspector = geprüft von|prüfer|prüferin|contrôlé par|vérifié par|inspeccionado por|\
gecontroleerd door|verificato da
plus = zzgl.|zuzüglich
including = inkl.|einschl.|inbegriffen|inclus
excluding = exkl.|excl.|hors
"""


def foreign_labels() -> dict[str, str]:
    """Maps each label in lower case to its meaning."""
    lines = [line.split(" = ") for line in _LABELS.strip().splitlines()]
    return {label: meaning for meaning, labels in lines for label in labels.split("|")}
