import type { RoomState } from '../domain/booking/booking.ts'
import type { MailKind } from '../domain/mail.ts'
import type { Board } from '../domain/offer.ts'
import { BOARD_NAMES } from '../voucher/voucher-document.ts'

export type Language = 'en' | 'de'

/** Falls back to English. */
export const toLanguage = (tag: string): Language => (/^de\b/i.test(tag) ? 'de' : 'en')

/** Opening of a mail. `hotel` and `dates` are single lines. */
type Opening = { readonly subject: (hotel: string, dates: string) => string; readonly lead: string }

export type Words = {
  readonly language: Language
  /** For dates and amounts. */
  readonly locale: string
  readonly openings: Readonly<Record<MailKind, Opening>>
  /** Reasons of a manual review, by the previous state. */
  readonly attention: {
    readonly booking: string
    readonly cancelling: string
    readonly partly: string
    readonly changed: string
    readonly next: string
  }
  /** Differences that the vendor reports for a confirmed booking. */
  readonly differs: {
    readonly next: string
    readonly board: (booked: string, reported: string) => string
    readonly fee: (moment: string, booked: string, reported: string) => string
    readonly guests: (rooms: string) => string
  }
  readonly roomStates: Readonly<Record<RoomState, (room: number) => string>>
  readonly simulated: { readonly mark: string; readonly text: string }
  readonly labels: Readonly<Record<Label, string>>
  readonly boards: Readonly<Record<Board, string>>
  readonly from: (time: string) => string
  readonly until: (time: string) => string
  readonly party: (adults: number, ages: readonly number[]) => string
  readonly cancel: {
    readonly freeUntil: (moment: string) => string
    /** `refund` is undefined if nothing is paid back. */
    readonly feeFrom: (moment: string, fee: string, refund: string | undefined) => string
    readonly free: string
    readonly none: string
    readonly unknown: string
  }
  readonly refund: (refund: string, fee: string) => string
  readonly refundLater: string
  readonly byCard: (amount: string, brand: string, last4: string) => string
  readonly dueAtProperty: (amount: string) => string
  /** Fees that the vendor names only in words, in the notice with this title. */
  readonly feesInText: (title: string) => string
  /** The same, if the total has fees payable at the hotel, which the words may repeat. */
  readonly feesInTextMaybe: (title: string) => string
  readonly manage: string
  readonly linkWarning: string
  readonly footer: string
}

type Label =
  | 'reference'
  | 'vendorNumber'
  | 'hotelNumber'
  | 'hotel'
  | 'address'
  | 'phone'
  | 'checkIn'
  | 'checkOut'
  | 'room'
  | 'board'
  | 'guests'
  | 'total'
  | 'cancellation'
  | 'refund'
  | 'refunded'
  | 'card'
  | 'requests'
  | 'difference'
  | 'rooms'

const EN: Words = {
  language: 'en',
  locale: 'en-GB',
  openings: {
    confirmed: { subject: (hotel, dates) => `Confirmed: ${hotel}, ${dates}`, lead: 'Your booking is confirmed.' },
    confirmation_number: {
      subject: (hotel, dates) => `Confirmation number: ${hotel}, ${dates}`,
      lead: 'Your booking is confirmed, and a confirmation number has arrived. The voucher and the details below are up to date.',
    },
    cancelled: { subject: (hotel, dates) => `Cancelled: ${hotel}, ${dates}`, lead: 'Your booking is cancelled.' },
    refunded: {
      subject: (hotel, dates) => `Refund: ${hotel}, ${dates}`,
      lead: 'We have sent a refund to your card. It usually arrives within 5 to 10 business days.',
    },
    still_confirmed: {
      subject: (hotel, dates) => `Not cancelled: ${hotel}, ${dates}`,
      lead: 'The cancellation did not go through. Your booking is still confirmed and the terms below still apply.',
    },
    needs_attention: {
      subject: (hotel, dates) => `Being checked: ${hotel}, ${dates}`,
      lead: 'Our staff are checking your booking.',
    },
    not_booked: {
      subject: (hotel, dates) => `Not booked: ${hotel}, ${dates}`,
      lead: 'Your booking could not be made. Nothing is booked under this reference.',
    },
    changed: {
      subject: (hotel, dates) => `Difference found: ${hotel}, ${dates}`,
      lead: 'Your booking is confirmed, but the hotel or its agent reports different details.',
    },
    link: {
      subject: (hotel, dates) => `Your booking: ${hotel}, ${dates}`,
      lead: 'You asked for the link to your booking.',
    },
  },
  attention: {
    booking: 'We do not know yet whether the room is booked as requested. Please do not rely on it yet.',
    cancelling: 'We do not know yet whether the cancellation was successful.',
    partly: 'Some rooms are cancelled and others are not; see below.',
    changed: 'The details reported by the hotel or its agent differ from your booking.',
    next: 'We are looking into it and will write to you again as soon as we know more.',
  },
  differs: {
    next: 'Your booking applies as confirmed while we clarify the difference. If you have changed something with the hotel yourself, please let us know.',
    board: (booked, reported) => `board: booked “${booked}”, reported “${reported}”`,
    fee: (moment, booked, reported) =>
      `cancellation from ${moment} (local time at the hotel): agreed ${booked}, reported ${reported}`,
    guests: (rooms) => `a different guest name is reported for room ${rooms}`,
  },
  roomStates: { confirmed: (room) => `room ${room}: confirmed`, cancelled: (room) => `room ${room}: cancelled` },
  simulated: { mark: 'Simulated', text: 'This is a simulation: no hotel was contacted, and nothing is charged.' },
  labels: {
    reference: 'Booking reference',
    vendorNumber: 'Vendor confirmation number',
    hotelNumber: 'Hotel confirmation number',
    hotel: 'Property',
    address: 'Address',
    phone: 'Phone',
    checkIn: 'Check-in',
    checkOut: 'Check-out',
    room: 'Room',
    board: 'Board',
    guests: 'Guests',
    total: 'Total price',
    cancellation: 'Cancellation',
    refund: 'Refund',
    refunded: 'Refunded so far',
    card: 'Charged to your card',
    requests: 'Your requests',
    difference: 'Difference',
    rooms: 'Rooms',
  },
  boards: { ...BOARD_NAMES, some_meals: 'Some meals included' },
  from: (time) => `from ${time}`,
  until: (time) => `until ${time}`,
  party: (adults, ages) =>
    [
      `${adults} ${adults === 1 ? 'adult' : 'adults'}`,
      ...(ages.length === 0
        ? []
        : [`${ages.length} ${ages.length === 1 ? 'child' : 'children'} (age ${ages.join(', ')})`]),
    ].join(', '),
  cancel: {
    freeUntil: (moment) => `free of charge until ${moment} (local time at the hotel)`,
    feeFrom: (moment, fee, refund) =>
      `from ${moment} (local time at the hotel): you pay ${fee}${refund === undefined ? ', no refund' : ` and get ${refund} back`}`,
    free: 'free of charge until arrival',
    none: 'Not refundable',
    unknown: 'no terms were given; expect the full price to be charged',
  },
  refund: (refund, fee) => `${refund} (cancellation fee: ${fee})`,
  byCard: (amount, brand, last4) => `${amount}, ${brand} ending in ${last4}`,
  refundLater: 'We will inform you about the refund separately.',
  dueAtProperty: (amount) => `including ${amount} payable at the property`,
  feesInText: (title) => `plus fees at the property, see “${title}” below`,
  feesInTextMaybe: (title) => `other fees at the property are possible, see “${title}” below`,
  manage: 'View or cancel your booking',
  linkWarning: 'Anyone with this link can view and cancel this booking. It is valid until 30 days after check-out.',
  footer: 'This message was sent automatically.',
}

const DE: Words = {
  language: 'de',
  locale: 'de-DE',
  openings: {
    confirmed: { subject: (hotel, dates) => `Bestätigt: ${hotel}, ${dates}`, lead: 'Ihre Buchung ist bestätigt.' },
    confirmation_number: {
      subject: (hotel, dates) => `Bestätigungsnummer: ${hotel}, ${dates}`,
      lead: 'Ihre Buchung ist bestätigt, und eine Bestätigungsnummer ist eingetroffen. Der Voucher und die Angaben unten sind aktualisiert.',
    },
    cancelled: { subject: (hotel, dates) => `Storniert: ${hotel}, ${dates}`, lead: 'Ihre Buchung ist storniert.' },
    refunded: {
      subject: (hotel, dates) => `Erstattung: ${hotel}, ${dates}`,
      lead: 'Wir haben eine Erstattung auf Ihre Karte überwiesen. Sie kommt meist innerhalb von 5 bis 10 Werktagen an.',
    },
    still_confirmed: {
      subject: (hotel, dates) => `Nicht storniert: ${hotel}, ${dates}`,
      lead: 'Die Stornierung war nicht erfolgreich. Ihre Buchung ist weiterhin bestätigt, und die Bedingungen unten gelten weiter.',
    },
    needs_attention: {
      subject: (hotel, dates) => `Wird geprüft: ${hotel}, ${dates}`,
      lead: 'Wir prüfen Ihre Buchung.',
    },
    not_booked: {
      subject: (hotel, dates) => `Nicht gebucht: ${hotel}, ${dates}`,
      lead: 'Die Buchung war nicht möglich. Unter dieser Buchungsnummer ist nichts gebucht.',
    },
    changed: {
      subject: (hotel, dates) => `Abweichung festgestellt: ${hotel}, ${dates}`,
      lead: 'Ihre Buchung ist bestätigt, aber das Hotel oder sein Vermittler meldet abweichende Angaben.',
    },
    link: {
      subject: (hotel, dates) => `Ihre Buchung: ${hotel}, ${dates}`,
      lead: 'Sie haben den Link zu Ihrer Buchung angefordert.',
    },
  },
  attention: {
    booking:
      'Wir wissen noch nicht, ob das Zimmer wie gewünscht gebucht ist. Bitte verlassen Sie sich noch nicht darauf.',
    cancelling: 'Wir wissen noch nicht, ob die Stornierung erfolgreich war.',
    partly: 'Einige Zimmer sind storniert, andere nicht; siehe unten.',
    changed: 'Die Angaben des Hotels oder seines Vermittlers weichen von Ihrer Buchung ab.',
    next: 'Wir klären das und schreiben Ihnen, sobald wir mehr wissen.',
  },
  differs: {
    next: 'Ihre Buchung gilt wie bestätigt, während wir die Abweichung klären. Falls Sie selbst etwas mit dem Hotel geändert haben, teilen Sie es uns bitte mit.',
    board: (booked, reported) => `Verpflegung: gebucht „${booked}“, gemeldet „${reported}“`,
    fee: (moment, booked, reported) =>
      `Stornierung ab ${moment} (Ortszeit des Hotels): vereinbart ${booked}, gemeldet ${reported}`,
    guests: (rooms) => `Für Zimmer ${rooms} ist ein abweichender Gastname gemeldet`,
  },
  roomStates: { confirmed: (room) => `Zimmer ${room}: bestätigt`, cancelled: (room) => `Zimmer ${room}: storniert` },
  simulated: {
    mark: 'Simulation',
    text: 'Dies ist eine Simulation: Kein Hotel wurde kontaktiert, nichts wird berechnet.',
  },
  labels: {
    reference: 'Buchungsnummer',
    vendorNumber: 'Bestätigungsnummer des Anbieters',
    hotelNumber: 'Bestätigungsnummer des Hotels',
    hotel: 'Unterkunft',
    address: 'Adresse',
    phone: 'Telefon',
    checkIn: 'Anreise',
    checkOut: 'Abreise',
    room: 'Zimmer',
    board: 'Verpflegung',
    guests: 'Gäste',
    total: 'Gesamtpreis',
    cancellation: 'Stornierung',
    refund: 'Erstattung',
    refunded: 'Bisher erstattet',
    card: 'Von Ihrer Karte abgebucht',
    requests: 'Ihre Wünsche',
    difference: 'Abweichung',
    rooms: 'Zimmer im Einzelnen',
  },
  boards: {
    room_only: 'Nur Übernachtung',
    breakfast: 'Mit Frühstück',
    half_board: 'Halbpension',
    full_board: 'Vollpension',
    all_inclusive: 'All-inclusive',
    self_catering: 'Selbstverpflegung',
    some_meals: 'Einige Mahlzeiten inklusive',
  },
  from: (time) => `ab ${time} Uhr`,
  until: (time) => `bis ${time} Uhr`,
  party: (adults, ages) =>
    [
      `${adults} ${adults === 1 ? 'Erwachsener' : 'Erwachsene'}`,
      ...(ages.length === 0
        ? []
        : [`${ages.length} ${ages.length === 1 ? 'Kind' : 'Kinder'} (Alter: ${ages.join(', ')})`]),
    ].join(', '),
  cancel: {
    freeUntil: (moment) => `kostenlos bis ${moment} (Ortszeit des Hotels)`,
    feeFrom: (moment, fee, refund) =>
      `ab ${moment} (Ortszeit des Hotels): Sie zahlen ${fee}${refund === undefined ? ', keine Erstattung' : ` und erhalten ${refund} zurück`}`,
    free: 'kostenlos bis zur Anreise',
    none: 'Nicht erstattbar',
    unknown: 'keine Bedingungen genannt; rechnen Sie mit dem vollen Preis',
  },
  refund: (refund, fee) => `${refund} (Stornogebühr: ${fee})`,
  byCard: (amount, brand, last4) => `${amount}, ${brand} mit der Endung ${last4}`,
  refundLater: 'Die Erstattung teilen wir Ihnen gesondert mit.',
  dueAtProperty: (amount) => `davon ${amount} in der Unterkunft zu zahlen`,
  feesInText: (title) => `zuzüglich Gebühren in der Unterkunft, siehe unten „${title}“`,
  feesInTextMaybe: (title) => `weitere Gebühren in der Unterkunft sind möglich, siehe unten „${title}“`,
  manage: 'Buchung ansehen oder stornieren',
  linkWarning: 'Mit diesem Link kann jeder diese Buchung ansehen und stornieren. Er gilt bis 30 Tage nach der Abreise.',
  footer: 'Diese Nachricht wurde automatisch versandt.',
}

export const WORDS: Readonly<Record<Language, Words>> = { en: EN, de: DE }
