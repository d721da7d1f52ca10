/**
 * German for the short words of vendors' content: amenities, beds, kinds of property, fees and headings. Content is read
 * in English; whole sentences stay as they are. One `English = German` per line, compared without regard to case.
 */
const TABLE = `
Free parking = Kostenlos parken
Parking = Parkplatz
Car park = Parkplatz
Garage = Garage
Secure parking = Gesicherter Parkplatz
Valet parking = Parkservice
Electric car charging = Ladestation für E-Autos
Indoor pool = Hallenbad
Indoor freshwater pool = Hallenbad (Süßwasser)
Indoor saltwater pool = Hallenbad (Salzwasser)
Indoor heated pool = Beheiztes Hallenbad
Indoor swimming pool = Hallenbad
Outdoor pool = Außenpool
Outdoor freshwater pool = Außenpool (Süßwasser)
Outdoor saltwater pool = Außenpool (Salzwasser)
Outdoor heated pool = Beheizter Außenpool
Outdoor swimming pool = Außenpool
Children’s swimming area = Kinderbecken
Private pool = Privater Pool
Pool = Pool
Sun loungers = Sonnenliegen
Parasols = Sonnenschirme
WaterSlides = Wasserrutschen
Wi-Fi = WLAN
Free Wi-Fi = Kostenloses WLAN
Internet access = Internetzugang
Wired Internet = LAN-Internet
Breakfast = Frühstück
Breakfast buffet = Frühstücksbuffet
Continental breakfast = Kontinentales Frühstück
Hot breakfast = Warmes Frühstück
Breakfast room = Frühstücksraum
Restaurant = Restaurant
Bar = Bar
Café = Café
Pub = Pub
Poolside snack bar = Snackbar am Pool
Swim-up bar = Poolbar
Room service = Zimmerservice
Spa = Wellnessbereich
Spa centre = Wellnessbereich
Spa treatments = Wellnessanwendungen
Massage = Massage
Sauna = Sauna
Solarium = Solarium
Steam bath = Dampfbad
Turkish steam bath = Türkisches Dampfbad
Turkish bath (hamam) = Hamam
Hot tub = Whirlpool
Beauty salon = Schönheitssalon
Hairdressing salon = Friseur
Fitness centre = Fitnessraum
Fitness room = Fitnessraum
Fitness = Fitness
Gym = Fitnessraum
Air conditioning = Klimaanlage
Air conditioning in public areas = Klimaanlage in öffentlichen Bereichen
Air conditioning in Restaurant = Klimaanlage im Restaurant
Centrally regulated air conditioning = Zentrale Klimaanlage
Individually adjustable air conditioning = Individuell regelbare Klimaanlage
Central heating = Zentralheizung
Individually adjustable heating = Individuell regelbare Heizung
Fan = Ventilator
Pets allowed = Haustiere erlaubt
Small pets allowed (under 5 kg) = Kleine Haustiere erlaubt (unter 5 kg)
Large pets allowed (over 5 kg) = Große Haustiere erlaubt (über 5 kg)
Wheelchair access = Rollstuhlgerecht
Wheelchair-accessible = Rollstuhlgerecht
Disability-friendly bathroom = Barrierefreies Bad
Disability-friendly rooms = Barrierefreie Zimmer
Family rooms = Familienzimmer
Kids’ club = Kinderclub
Children playground = Spielplatz
Babysitting service = Babysitter
Day-care centre = Kinderbetreuung
Highchairs = Hochstühle
Cot on demand = Kinderbett auf Anfrage
Extra beds on demand = Zustellbett auf Anfrage
Rollaways on demand = Zustellbett auf Anfrage
Airport shuttle = Flughafentransfer
Transfer service = Transferservice
Car hire = Autovermietung
24-hour front desk = Rezeption rund um die Uhr
24-hour reception = Rezeption rund um die Uhr
24-hour security = Sicherheitsdienst rund um die Uhr
Multilingual staff = Mehrsprachiges Personal
Bellboy service = Gepäckträger
Luggage room = Gepäckraum
Cloakroom = Garderobe
Hotel safe = Hotelsafe
Safe = Safe
Currency exchange facilities = Geldwechsel
Late Check-out = Späte Abreise
Early Check-in = Frühe Anreise
Medical service = Ärztlicher Dienst
Newspapers = Zeitungen
Newspaper stand = Zeitungsstand
Shop = Laden
Supermarket = Supermarkt
Lift = Aufzug
Lift access = Aufzug
Laundry = Wäscheservice
Laundry service = Wäscheservice
Launderette = Waschsalon
Washing machine = Waschmaschine
Clothes dryer = Wäschetrockner
Ironing set = Bügeleisen und Bügelbrett
Trouser press = Hosenpresse
Business facilities = Tagungsräume
Business centre = Businesscenter
Conference room = Konferenzraum
Meeting room = Besprechungsraum
Banquet hall = Bankettsaal
Projector = Beamer
Photocopier = Kopierer
Printer = Drucker
Fax = Fax
Beach = Strand
Private beach area = Privatstrand
Kitchen = Küche
Kitchenette = Küchenzeile
Kitchen utensils, plates & cups = Kochutensilien und Geschirr
Cooker = Herd
Oven = Backofen
Microwave = Mikrowelle
Fridge = Kühlschrank
Mini fridge = Kleiner Kühlschrank
Minibar = Minibar
Dishwasher = Geschirrspüler
Toaster = Toaster
Electric kettle = Wasserkocher
Tea and coffee making facilities = Tee- und Kaffeezubereiter
Dining area = Essbereich
Living room = Wohnzimmer
BBQ facilities = Grillplatz
Grill/BBQ = Grill
Balcony = Balkon
Terrace = Terrasse
Sun terrace = Sonnenterrasse
Non-smoking = Nichtraucher
Non-smoking area = Nichtraucherbereich
Non-smoking establishment = Nichtraucherhaus
Smoking area = Raucherbereich
Smoking rooms = Raucherzimmer
Garden = Garten
Library = Bibliothek
Game room = Spielzimmer
TV lounge = Fernsehraum
Nightclub = Nachtclub
Casino = Casino
Golf = Golf
Golf course = Golfplatz
Mini golf = Minigolf
Ski = Ski
Skiing = Ski
Snowboarding = Snowboarden
Ski storage = Skiraum
Ski slopes = Skipisten
Tennis = Tennis
Table tennis = Tischtennis
Squash = Squash
Billiards = Billard
Darts = Dart
Bowling alley = Bowlingbahn
Horse riding = Reiten
Cycling / mountain biking = Radfahren / Mountainbiken
Bicycle hire service = Fahrradverleih
Bicycle storage = Fahrradraum
Bikes available = Fahrräder vorhanden
Diving = Tauchen
Surfing = Surfen
Windsurfing = Windsurfen
Sailing = Segeln
Canoeing = Kanufahren
Bathroom = Badezimmer
Shared bathroom = Gemeinschaftsbad
Shower = Dusche
Bathtub = Badewanne
Hairdryer = Haartrockner
Hair dryer = Haartrockner
Toiletries = Pflegeprodukte
Bathrobes = Bademäntel
Slippers = Hausschuhe
Make-up mirror = Kosmetikspiegel
TV = Fernseher
Satellite TV = Satellitenfernsehen
Cable TV = Kabelfernsehen
Radio = Radio
Direct dial telephone = Direktwahltelefon
Desk = Schreibtisch
Alarm clock = Wecker
Wake-up service = Weckdienst
Soundproof room = Schallisoliertes Zimmer
Carpeted floors = Teppichboden
Fireplace = Kamin
Smoke detector = Rauchmelder
Housekeeping = Zimmerreinigung
Connecting rooms = Verbindungszimmer
Special dietary options = Spezielle Kost
Gluten-free meals = Glutenfreie Mahlzeiten
Vegetarian meal = Vegetarische Mahlzeiten
Year of construction = Baujahr
Year of most recent renovation = Zuletzt renoviert
Number of floors (main building) = Stockwerke (Hauptgebäude)
Total number of rooms = Zimmer insgesamt
City centre = Stadtzentrum
Airport = Flughafen
Bus/Train station = Bus- und Bahnhof
Only Adults = Nur für Erwachsene
extra charge = gegen Aufpreis
free of charge = kostenlos
Hotel = Hotel
Apartment = Apartment
Apartment hotel = Apartmenthotel
Hostel = Hostel
Hostel/Backpacker accommodation = Hostel
Guest house = Pension
Guesthouse = Pension
Bed and breakfast = Frühstückspension
Bed & breakfast = Frühstückspension
Resort = Resort
Villa = Villa
Motel = Motel
Lodge = Lodge
Inn = Gasthof
Campsite = Campingplatz
Boutique = Boutiquehotel
Boutique hotel = Boutiquehotel
Rural house = Landhaus
Rural hotel = Landhotel
Residence = Residenz
Riad = Riad
Aparthotel = Apartmenthotel
Condo = Ferienwohnung
Tax = Steuer
Taxes = Steuern
Taxes and fees = Steuern und Gebühren
City tax = Kurtaxe
Tourist tax = Kurtaxe
Sales tax = Umsatzsteuer
Resort fee = Resortgebühr
Mandatory fee = Pflichtgebühr
Mandatory tax = Pflichtsteuer
Property fee = Gebühr der Unterkunft
Cleaning fee = Reinigungsgebühr
Service fee = Servicegebühr
General = Allgemein
Facilities = Ausstattung
Rooms = Zimmer
Room facilities = Zimmerausstattung
Catering = Gastronomie
Meals = Mahlzeiten
Food and drink = Essen und Trinken
Business = Geschäftlich
Entertainment = Unterhaltung
Health = Wellness
Wellness = Wellness
Sports = Sport
Sport = Sport
Payment = Bezahlung
Distances = Entfernungen
Building = Gebäude
Internet = Internet
Other = Weiteres
Sustainability = Nachhaltigkeit
Good to know = Gut zu wissen
`

const WORDS = new Map(
  TABLE.trim()
    .split('\n')
    .map((line) => line.split(' = '))
    .map(([english = '', german = '']) => [english.toLowerCase(), german]),
)

const BEDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  king: ['Kingsize-Bett', 'Kingsize-Betten'],
  queen: ['Queensize-Bett', 'Queensize-Betten'],
  double: ['Doppelbett', 'Doppelbetten'],
  full: ['Doppelbett', 'Doppelbetten'],
  twin: ['Einzelbett', 'Einzelbetten'],
  single: ['Einzelbett', 'Einzelbetten'],
  sofa: ['Schlafsofa', 'Schlafsofas'],
  bunk: ['Etagenbett', 'Etagenbetten'],
}
const BED = /^(?:(\d+) )?(king|queen|double|full|twin|single|sofa|bunk)(?:[ -]size)? beds?(?: \d.*)?$/i

/** "1 King Bed and 2 Sofa Beds" → "1 Kingsize-Bett und 2 Schlafsofas"; undefined where a part is not understood. */
function bedsIn(text: string): string | undefined {
  const parts = text.split(/ (and|or) /)
  const read = parts.map((part) => {
    if (part === 'and') return 'und'
    if (part === 'or') return 'oder'
    const [, count, size = ''] = BED.exec(part) ?? []
    const names = BEDS[size.toLowerCase()]
    if (names === undefined) return undefined
    return count === undefined ? names[0] : `${count} ${names[count === '1' ? 0 : 1]}`
  })
  return read.includes(undefined) ? undefined : read.join(' ')
}

/** The German word, or undefined where there is none. What stands in brackets or after a colon is read on its own. */
export function germanWord(text: string): string | undefined {
  const known = WORDS.get(text.trim().toLowerCase()) ?? bedsIn(text.trim())
  if (known !== undefined) return known
  const [, head = '', rest = ''] = /^(.*?)(?: \((.+)\)|: (.+))$/.exec(text)?.filter((part) => part !== undefined) ?? []
  const word = WORDS.get(head.toLowerCase())
  return word === undefined ? undefined : `${word} (${WORDS.get(rest.toLowerCase()) ?? rest})`
}
