import type { AmenitySlug } from '../../../src/domain/property/amenity.ts'
import type { PropertyKind, WorldBed } from '../contract.ts'

/** German texts of vendors; see german-texts.ts. `{name}` is the property, `{place}` the town. */

export const GERMAN_AMENITIES: Readonly<Record<AmenitySlug, string>> = {
  free_parking: 'Kostenlose Parkplätze',
  parking: 'Parkplätze',
  ev_charging: 'Ladestation für Elektroautos',
  indoor_pool: 'Hallenbad',
  outdoor_pool: 'Außenpool',
  pool: 'Pool',
  wifi: 'WLAN',
  breakfast: 'Frühstück',
  restaurant: 'Restaurant',
  bar: 'Bar',
  room_service: 'Zimmerservice',
  spa: 'Wellnessbereich',
  fitness: 'Fitnessraum',
  air_conditioning: 'Klimaanlage',
  pets: 'Haustiere erlaubt',
  wheelchair: 'Rollstuhlgerecht',
  family: 'Familienzimmer',
  airport_shuttle: 'Flughafentransfer',
  front_desk_24h: 'Rezeption rund um die Uhr',
  elevator: 'Aufzug',
  laundry: 'Wäscheservice',
  business: 'Tagungsräume',
  beachfront: 'Strand',
  kitchen: 'Küche',
  balcony: 'Balkon',
  non_smoking: 'Nichtraucher',
  garden: 'Garten',
  casino: 'Casino',
  golf: 'Golf',
  ski: 'Skifahren',
}

export const GERMAN_BEDS: Readonly<Record<WorldBed['type'], readonly [one: string, many: string]>> = {
  king: ['Kingsize-Bett', 'Kingsize-Betten'],
  queen: ['Queensize-Bett', 'Queensize-Betten'],
  double: ['Doppelbett', 'Doppelbetten'],
  twin: ['Einzelbett', 'Einzelbetten'],
  single: ['Einzelbett', 'Einzelbetten'],
  sofa: ['Schlafsofa', 'Schlafsofas'],
  bunk: ['Etagenbett', 'Etagenbetten'],
}

/** After "mit". */
export const GERMAN_VIEWS: Readonly<Record<string, string>> = {
  city: 'Stadtblick',
  courtyard: 'Blick in den Innenhof',
  street: 'Blick auf die Straße',
  rooftop: 'Blick über die Dächer',
  park: 'Parkblick',
  sea: 'Meerblick',
  'partial sea': 'seitlichem Meerblick',
  pool: 'Poolblick',
  garden: 'Gartenblick',
  promenade: 'Blick auf die Promenade',
  mountain: 'Bergblick',
  valley: 'Talblick',
  village: 'Blick auf den Ort',
  forest: 'Waldblick',
  countryside: 'Blick ins Grüne',
  river: 'Flussblick',
}

export const GERMAN_ROOMS: Readonly<Record<string, string>> = {
  Room: 'Zimmer',
  Single: 'Einzelzimmer',
  Double: 'Doppelzimmer',
  Twin: 'Zweibettzimmer',
  Triple: 'Dreibettzimmer',
  Family: 'Familienzimmer',
  King: 'Zimmer mit Kingsize-Bett',
  Suite: 'Suite',
  'Family Suite': 'Familiensuite',
  'Junior Suite': 'Juniorsuite',
  'Penthouse Suite': 'Penthouse-Suite',
  'Overwater Suite': 'Suite über dem Wasser',
  Studio: 'Studio',
  'Loft Apartment': 'Loft-Apartment',
  Apartment: 'Apartment',
  Villa: 'Villa',
  'Quadruple Room': 'Vierbettzimmer',
}

/** Other grades are not translated: "Superior-Doppelzimmer". */
export const GERMAN_GRADES: Readonly<Record<string, string>> = { Classic: 'Klassik', Attic: 'Dachgeschoss' }

const KINDS: Readonly<Record<PropertyKind, string>> = {
  hotel: 'Hotel',
  apartment: 'Apartmenthaus',
  hostel: 'Hostel',
  guesthouse: 'Gästehaus',
  resort: 'Resort',
}
export const germanKind = (kind: PropertyKind): string => KINDS[kind]

export const GERMAN_OPENINGS = [
  '{name} liegt in {place}, nur wenige Gehminuten von den meisten Sehenswürdigkeiten entfernt.',
  'Wer in {name} wohnt, ist mitten in {place} und schläft trotzdem ruhig: Die meisten Fenster gehen zur Rückseite.',
  'Von {name} aus lässt sich {place} bequem zu Fuß entdecken; Bus und Bahn halten gleich in der Nähe.',
  '{name} steht in einer Gegend von {place}, in der die Cafés früh öffnen und der Verkehr woanders fließt.',
  'In {name} beginnt der Tag in {place} mit einem Blick aus dem Fenster und einem guten Kaffee.',
] as const

export const GERMAN_CHARACTERS: Readonly<Record<PropertyKind, readonly string[]>> = {
  hotel: [
    'Viele Mitarbeiter sind seit Jahren hier, und das merkt man an den Kleinigkeiten.',
    'Das Hotel ist groß genug, um ungestört zu sein, und klein genug, um wiedererkannt zu werden.',
  ],
  apartment: [
    'Jedes Apartment hat eine eigene Tür, eine eingerichtete Küche und einen richtigen Esstisch.',
    'Die Apartments sind zum Wohnen eingerichtet und werden einmal in der Woche gereinigt.',
  ],
  hostel: [
    'Im Gemeinschaftsraum trifft man immer jemanden, der gerade von dort kommt, wohin man will.',
    'Jedes Bett hat einen Vorhang, eine Lampe und zwei Steckdosen; die Schließfächer fassen einen ganzen Rucksack.',
  ],
  guesthouse: [
    'Die Besitzer wohnen im selben Gebäude und bringen das Frühstück selbst.',
    'Es gibt nur eine Handvoll Zimmer, und keines gleicht dem anderen.',
  ],
  resort: [
    'Wege führen durch die Anlage zu ruhigen Plätzen, die selbst Stammgäste erst spät entdecken.',
    'Man könnte eine Woche bleiben, ohne die Anlage zu verlassen.',
  ],
}

export const GERMAN_ROOMS_TEXTS = [
  'Die Zimmer sind zwischen {smallest} und {largest} m² groß, hell und gepflegt.',
  'Alle Zimmer haben einen Schreibtisch, gutes Leselicht und Vorhänge, die wirklich dicht schließen.',
  'Ab {smallest} m² gibt es breite Betten, frische Bettwäsche und ein eigenes Bad in fast jedem Zimmer.',
] as const

export const GERMAN_PRAISE: Partial<Record<AmenitySlug, string>> = {
  restaurant: 'Das Restaurant kocht, was es morgens auf dem Markt gab, und hält die Karte kurz.',
  bar: 'Die Bar schenkt Weine aus der Region auch glasweise aus.',
  breakfast: 'Zum Frühstück gibt es ein Buffet mit frischem Brot, Eiern und Obst.',
  outdoor_pool: 'Der Außenpool ist lang genug zum Schwimmen.',
  indoor_pool: 'Das Hallenbad ist das ganze Jahr beheizt.',
  spa: 'Der Wellnessbereich hat eine Sauna, ein Dampfbad und Räume für Anwendungen.',
  fitness: 'Der Fitnessraum ist rund um die Uhr geöffnet.',
  garden: 'Der Garten mit alten Bäumen steht allen Gästen offen.',
  beachfront: 'Ein Weg führt direkt zum Strand.',
  ski: 'Ski und Schuhe trocknen über Nacht in einem beheizten Raum.',
  free_parking: 'Parkplätze sind kostenlos.',
  ev_charging: 'Elektroautos können vor Ort geladen werden.',
  airport_shuttle: 'Auf Wunsch holt ein Transfer die Gäste am Flughafen ab.',
  front_desk_24h: 'Die Rezeption ist Tag und Nacht besetzt.',
  pets: 'Haustiere sind gegen einen kleinen Aufpreis willkommen.',
  wheelchair: 'Eingang, Aufzug und mehrere Zimmer sind für Rollstühle geeignet.',
  family: 'Familien bekommen auf Wunsch Kinderbetten und Hochstühle.',
  wifi: 'WLAN ist kostenlos und reicht bis ins letzte Zimmer.',
}

export const GERMAN_BATHS = ['bodengleicher Dusche', 'Dusche und Haartrockner', 'Badewanne', 'Regendusche'] as const
export const GERMAN_EXTRAS = [
  'Verdunkelungsvorhänge und Doppelverglasung halten die Nacht dunkel und ruhig.',
  'Wasserkocher, Tassen und eine kleine Auswahl an Tees stehen bereit.',
  'Der Kleiderschrank hat einen Safe.',
  'Zwei Sessel stehen am Fenster.',
] as const
