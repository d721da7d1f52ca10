/** Words of room names as hotels use them in their own language, by country. */
type Words = Readonly<Record<string, string>>

const read = (text: string): Words =>
  Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(' = ')),
  )

const FRENCH = read(`
Room = Chambre
Single = Chambre Simple
Double = Chambre Double
Twin = Chambre Lits Jumeaux
Triple = Chambre Triple
Family = Chambre Familiale
King = Chambre Lit King-Size
Suite = Suite
Junior Suite = Suite Junior
Studio = Studio
Small = Petite
Standard = Standard
Superior = Supérieure
Deluxe = Deluxe
Classic = Classique
Executive = Exécutive
Balcony = avec Balcon
City view = - Vue sur Ville
Courtyard view = - Vue Cour
Garden view = - Vue Jardin
Sea view = - Vue sur Mer
Partial sea view = - Vue Partielle Mer
Pool view = - Vue Piscine
Mountain view = - Vue Montagne
River view = - Vue Rivière
Park view = - Vue Parc`)

const SPANISH = read(`
Room = Habitación
Single = Habitación Individual
Double = Habitación Doble
Twin = Habitación Doble 2 Camas
Triple = Habitación Triple
Family = Habitación Familiar
Suite = Suite
Junior Suite = Junior Suite
Studio = Estudio
Standard = Estándar
Superior = Superior
Deluxe = Deluxe
Classic = Clásica
Executive = Ejecutiva
Balcony = con Balcón
City view = con Vistas a la Ciudad
Garden view = con Vistas al Jardín
Sea view = con Vistas al Mar
Pool view = con Vistas a la Piscina
Mountain view = con Vistas a la Montaña
River view = con Vistas al Río
Park view = con Vistas al Parque`)

const ITALIAN = read(`
Room = Camera
Single = Camera Singola
Double = Camera Matrimoniale
Twin = Camera Doppia Letti Singoli
Triple = Camera Tripla
Family = Camera Familiare
Suite = Suite
Junior Suite = Junior Suite
Studio = Monolocale
Standard = Standard
Superior = Superiore
Deluxe = Deluxe
Classic = Classica
Balcony = con Balcone
City view = Vista Città
Garden view = Vista Giardino
Sea view = Vista Mare
Pool view = Vista Piscina
Mountain view = Vista Montagna
Courtyard view = Vista Cortile`)

const GERMAN = read(`
Room = Zimmer
Single = Einzelzimmer
Double = Doppelzimmer
Twin = Zweibettzimmer
Triple = Dreibettzimmer
Family = Familienzimmer
Suite = Suite
Junior Suite = Juniorsuite
Studio = Studio
Small = Klein
Standard = Standard
Superior = Superior
Deluxe = Deluxe
Classic = Klassik
Executive = Executive
Balcony = mit Balkon
City view = mit Stadtblick
Courtyard view = zum Innenhof, Hofblick
Garden view = mit Gartenblick
Sea view = mit Meerblick
Mountain view = mit Bergblick
Valley view = mit Talblick
Forest view = mit Waldblick
Pool view = mit Poolblick
River view = mit Flussblick
Park view = mit Parkblick`)

const PORTUGUESE = read(`
Room = Quarto
Single = Quarto Individual
Double = Quarto Duplo
Twin = Quarto Twin
Triple = Quarto Triplo
Family = Quarto Familiar
Suite = Suíte
Junior Suite = Suíte Júnior
Studio = Estúdio
Standard = Standard
Superior = Superior
Deluxe = Deluxe
Classic = Clássico
Balcony = com Varanda
Sea view = com Vista Mar
City view = com Vista Cidade
Garden view = com Vista Jardim
Pool view = com Vista Piscina`)

const DUTCH = read(`
Room = Kamer
Single = Eenpersoonskamer
Double = Tweepersoonskamer
Triple = Driepersoonskamer
Family = Familiekamer
Suite = Suite
Studio = Studio
Standard = Standaard
Superior = Superior
Deluxe = Deluxe
Balcony = met Balkon
Sea view = met Zeezicht
City view = met Stadzicht
Garden view = met Tuinzicht`)

export const LOCAL_ROOM_WORDS: Readonly<Record<string, Words>> = {
  FR: FRENCH,
  BE: FRENCH,
  ES: SPANISH,
  MX: SPANISH,
  AR: SPANISH,
  CO: SPANISH,
  IT: ITALIAN,
  DE: GERMAN,
  AT: GERMAN,
  CH: GERMAN,
  PT: PORTUGUESE,
  BR: PORTUGUESE,
  NL: DUTCH,
}
