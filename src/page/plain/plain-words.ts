import type { Language } from '../../mail/mail-texts.ts'

const EN = {
  title: (place: string) => `Stays around ${place}`,
  nights: (count: number) => `${count} ${count === 1 ? 'night' : 'nights'}`,
  shown: (count: number, total: number) => `${count} of ${total} stays are listed.`,
  price:
    'Prices are totals for all nights and rooms, with taxes and all fees with a price. “≈” marks a converted price.',
  needed: 'Choosing a room, booking and paying need JavaScript.',
  none: 'No stay is available for these dates, guests and filters.',
  partial: 'Some prices are missing, because a source did not answer in time.',
  filters: 'Some filters of this link are not applied here: stars, amenities, kind, chain, neighbourhood and name.',
  stars: (count: string) => `${count} stars`,
  rating: (rating: string, reviews: string) => `Rated ${rating} of 5 (${reviews} reviews)`,
  free: 'Free cancellation',
  freeUntil: (moment: string) => `Free cancellation until ${moment} (local time)`,
  freeFor: (price: string) => `Free cancellation for ${price}`,
  notFree: 'No free cancellation at this price',
  fees: 'Plus fees at the property',
  again: 'Search again',
  failed: 'The search did not work',
  /** By error code; other errors are `other`. */
  failures: {
    rate_limited: 'Too many searches were made from here.',
    sign_in_needed: 'Here, only customers who are signed in can search. Signing in needs JavaScript.',
    invalid_request: 'Place, dates or guests are missing in this link, or are not possible, such as dates in the past.',
    location_not_found: 'The place of this link does not exist.',
    vendors_failed: 'No source of prices answered.',
    vendor_timeout: 'No source of prices answered in time.',
  } as Readonly<Record<string, string>>,
  other: 'Something is wrong with the service.',
  wait: (seconds: number) => `Wait ${seconds} seconds, then try again.`,
}

const DE: typeof EN = {
  title: (place) => `Unterkünfte in und um ${place}`,
  nights: (count) => `${count} ${count === 1 ? 'Nacht' : 'Nächte'}`,
  shown: (count, total) => `${count} von ${total} Unterkünften sind aufgeführt.`,
  price:
    'Preise gelten für alle Nächte und Zimmer zusammen, mit Steuern und allen bezifferten Gebühren. „≈“ steht vor umgerechneten Preisen.',
  needed: 'Zimmer auswählen, buchen und bezahlen können Sie nur mit JavaScript.',
  none: 'Für diese Daten, Gäste und Filter ist nichts frei.',
  partial: 'Einige Preise fehlen, weil ein Anbieter nicht rechtzeitig geantwortet hat.',
  filters: 'Diese Filter des Links gelten hier nicht: Sterne, Ausstattung, Art, Kette, Stadtteil und Name.',
  stars: (count) => `${count} Sterne`,
  rating: (rating, reviews) => `Bewertung ${rating} von 5 (${reviews} Bewertungen)`,
  free: 'Kostenlos stornierbar',
  freeUntil: (moment) => `Kostenlos stornierbar bis ${moment} (Ortszeit)`,
  freeFor: (price) => `Kostenlos stornierbar für ${price}`,
  notFree: 'Zu diesem Preis nicht kostenlos stornierbar',
  fees: 'Zuzüglich Gebühren vor Ort',
  again: 'Noch einmal suchen',
  failed: 'Die Suche hat nicht funktioniert',
  failures: {
    rate_limited: 'Von hier wurde zu oft gesucht.',
    sign_in_needed: 'Hier kann nur suchen, wer angemeldet ist. Zum Anmelden brauchen Sie JavaScript.',
    invalid_request:
      'Ort, Daten oder Gäste fehlen in diesem Link oder sind nicht möglich, zum Beispiel Daten in der Vergangenheit.',
    location_not_found: 'Den Ort dieses Links gibt es nicht.',
    vendors_failed: 'Kein Anbieter hat geantwortet.',
    vendor_timeout: 'Kein Anbieter hat rechtzeitig geantwortet.',
  },
  other: 'Im Dienst ist etwas schiefgegangen.',
  wait: (seconds) => `Warten Sie ${seconds} Sekunden und versuchen Sie es dann noch einmal.`,
}

export const PLAIN_WORDS: Readonly<Record<Language, typeof EN>> = { en: EN, de: DE }
