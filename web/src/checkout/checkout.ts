import { leavesEffectUnknown } from '../../../packages/client/src/policy.ts'
import { randomId } from '../../../packages/client/src/random-id.ts'
import { ApiProblem, SignInDeclined } from '../api/problem.ts'
import { EMAIL } from '../api/service-rules.ts'
import type { Amount, BookBody, Detail, FullSummary, Room, Summary, TermChange } from '../api/shapes.ts'
import { chargeOf } from '../offer/charge.ts'
import { SEARCH_FACTS_PREFIX } from '../search/search-facts.ts'
import type { RoomParty } from '../search/stay-form.ts'

export type GuestForm = { readonly given: string; readonly family: string }
export type ContactForm = { readonly email: string; readonly phone: string; readonly requests: string }

/** `isPayable`: the provider can charge exactly this amount. */
export type Charge = Amount & { readonly isPayable: boolean }

/** A checkout from choosing a room to booking it. Stored in this tab, so that a reload neither loses nor repeats it. */
export type Checkout = {
  readonly id: string
  readonly searchId: string
  readonly propertyId: string
  /** Target of "Choose another room". */
  readonly propertyAddress: string
  readonly property: {
    readonly name: string
    readonly image: string
    readonly address: string
    readonly timezone: string
    readonly checkInTime: string
    readonly checkOutTime: string
    readonly stars: number
  }
  readonly checkIn: string
  readonly checkOut: string
  readonly nights: number
  readonly rooms: readonly RoomParty[]
  readonly room: Room
  /** True if a booking does not reach a real property; absent in checkouts of earlier versions of the page. */
  readonly simulated?: boolean
  /** Price of the room when it was chosen. */
  readonly chosen?: { readonly currency: string; readonly total: number }
  /** Amount to pay by card, from the price check; absent if the booking is on account. */
  readonly charge?: Charge | undefined
  /** The card payment; the provider's secret is never stored. `confirming`: its result is unknown. */
  readonly payment?: { readonly id: string; readonly state: 'open' | 'confirming' | 'authorised' } | undefined
  /** From the price check of `room`; absent until it was checked. */
  readonly termsDigest?: string | undefined
  readonly guests: readonly GuestForm[]
  readonly contact: ContactForm
  /** One key per attempt; sending the same request again returns the first result. */
  readonly attemptKey: string
  /** Body sent with the key, kept while its result is unknown. */
  readonly sent: BookBody | undefined
  readonly bookingId: string | undefined
}

/** `unsure`: it is unknown whether something was booked. */
export type Attempt = AttemptState & {
  /** Amount that was reserved on the card for an offer that is gone. */
  readonly released?: Amount | undefined
}

type AttemptState =
  | { readonly phase: 'form' }
  | { readonly phase: 'sending' }
  /** The card is being authorised: its form may ask the guest something. */
  | { readonly phase: 'paying' }
  /** The result of the payment is unknown; the service is asked until it is known. */
  | { readonly phase: 'asking' }
  /** Nothing is reserved; the same payment takes another card. */
  | { readonly phase: 'declined'; readonly code: string }
  /** The guest has not seen the card form yet. */
  | { readonly phase: 'card_needed' }
  /** The payment could not be created. */
  | { readonly phase: 'unpaid'; readonly problem: ApiProblem }
  | { readonly phase: 'unsure' }
  | { readonly phase: 'refused'; readonly problem: ApiProblem }
  | {
      readonly phase: 'changed'
      readonly room: Room
      readonly termsDigest: string | undefined
      readonly charge?: Charge | undefined
      readonly changes: readonly TermChange[]
      /** True if the guest had already submitted the form. */
      readonly wasSent: boolean
    }
  | { readonly phase: 'sold_out'; readonly alternatives: readonly Summary[] }
  | { readonly phase: 'offer_expired' }

export const checkoutPath = (id: string): string => `/checkout?id=${encodeURIComponent(id)}`

const CHECKOUT_PREFIX = 'serai.checkout.'
const storageKey = (id: string) => `${CHECKOUT_PREFIX}${id}`

export function readCheckout(id: string): Checkout | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(storageKey(id)) ?? 'null') as Checkout | null) ?? undefined
  } catch {
    return undefined
  }
}

export function saveCheckout(checkout: Checkout): void {
  store(storageKey(checkout.id), JSON.stringify(checkout))
}

/** A tab may be open for weeks; if its storage is full, old entries are removed. */
function store(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text)
  } catch {
    for (const other of Object.keys(sessionStorage)) if (isDisposable(other)) sessionStorage.removeItem(other)
    sessionStorage.setItem(key, text)
  }
}

/** Searches can be fetched again; a checkout is needed while its outcome is unknown. */
const isDisposable = (key: string): boolean =>
  key.startsWith(SEARCH_FACTS_PREFIX) ||
  (key.startsWith(CHECKOUT_PREFIX) && readCheckout(key.slice(CHECKOUT_PREFIX.length))?.sent === undefined)

type Start = {
  detail: Detail
  room: Room
  rooms: readonly RoomParty[]
  checkIn: string
  checkOut: string
  nights: number
  propertyAddress: string
}

/** Prefilled with the last guest of this tab. */
export function startCheckout({ detail, room, ...stay }: Start): Checkout {
  const { overview } = detail
  const { line_1, postal_code, city, country_code } = overview.address
  const last = readLastGuest()
  const checkout: Checkout = {
    ...stay,
    id: randomId('web'),
    searchId: detail.search_id,
    propertyId: detail.property_id,
    property: {
      name: overview.name,
      image: overview.images.find((image) => image.default)?.lores ?? overview.images[0]?.lores ?? '',
      address: [line_1, [postal_code, city].filter(Boolean).join(' '), country_code].filter(Boolean).join(', '),
      timezone: overview.timezone,
      checkInTime: overview.check_in_time,
      checkOutTime: overview.check_out_time,
      stars: overview.star_rating,
    },
    room,
    simulated: detail.simulated,
    chosen: chosenPrice(room),
    guests: stay.rooms.map((_, index) => (index === 0 ? last.guest : { given: '', family: '' })),
    contact: last.contact,
    attemptKey: randomId('key'),
    sent: undefined,
    bookingId: undefined,
  }
  saveCheckout(checkout)
  return checkout
}

const chosenPrice = (room: Room) => {
  const { currency, total } = chargeOf(room)
  return { currency, total }
}

const LAST_GUEST_KEY = 'serai.guest'

export function saveLastGuest(guest: GuestForm | undefined, contact: ContactForm): void {
  if (guest !== undefined) store(LAST_GUEST_KEY, JSON.stringify({ guest, contact: { ...contact, requests: '' } }))
}

function readLastGuest(): { guest: GuestForm; contact: ContactForm } {
  const blank = { guest: { given: '', family: '' }, contact: { email: '', phone: '', requests: '' } }
  try {
    return { ...blank, ...(JSON.parse(sessionStorage.getItem(LAST_GUEST_KEY) ?? '{}') as object) }
  } catch {
    return blank
  }
}

/** Invisible marks in copied names and numbers. The service rejects them, and the guest could not see why. */
const INVISIBLE_MARKS = /[\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
const stripInvisible = (typed: string): string => typed.replaceAll(INVISIBLE_MARKS, '').trim()

/** The room's sealed offer, unchanged, with guests and contact. */
export function buildBookBody({ room, termsDigest, guests, contact, id, payment }: Checkout): BookBody {
  const email = stripInvisible(contact.email)
  // The service accepts only plain spaces.
  const phone = stripInvisible(contact.phone).replaceAll(/\s/g, ' ')
  const contactFields = { ...(email === '' ? {} : { email }), ...(phone === '' ? {} : { phone }) }
  return {
    ...room.booking_info,
    guests: guests.map(({ given, family }, index) => ({
      given_name: stripInvisible(given),
      family_name: stripInvisible(family),
      ...(index === 0 ? contactFields : {}),
    })),
    contact: contactFields,
    ...(contact.requests.trim() === '' ? {} : { special_requests: contact.requests.trim() }),
    ...(termsDigest === undefined ? {} : { terms_digest: termsDigest }),
    client_reference: id,
    ...(payment === undefined ? {} : { payment_id: payment.id }),
  }
}

type FieldName = `given-${number}` | `family-${number}` | 'email' | 'phone'
type FieldFault = 'missing' | 'not_a_name' | 'not_an_email' | 'not_a_phone'

/** Invalid fields, in the order of the form. */
export function checkGuests(guests: readonly GuestForm[], contact: ContactForm): Map<FieldName, FieldFault> {
  const faults = new Map<FieldName, FieldFault>()
  guests.forEach(({ given, family }, place) => {
    const [givenFault, familyFault] = [checkName(given), checkName(family)]
    if (givenFault !== undefined) faults.set(`given-${place}`, givenFault)
    if (familyFault !== undefined) faults.set(`family-${place}`, familyFault)
  })
  const [email, phone] = [stripInvisible(contact.email), stripInvisible(contact.phone)]
  if (email === '') faults.set('email', 'missing')
  else if (!EMAIL.test(email)) faults.set('email', 'not_an_email')
  if (phone === '') faults.set('phone', 'missing')
  else if (!/^\+?[\d\s()./-]{6,24}$/.test(phone)) faults.set('phone', 'not_a_phone')
  return faults
}

/** Vendors do not accept these characters in names. */
function checkName(typed: string): FieldFault | undefined {
  const name = stripInvisible(typed)
  if (name === '') return 'missing'
  return /[<>()&]/.test(name) || name.length > 60 ? 'not_a_name' : undefined
}

/** Booking already made with this offer under another key. */
export function findEarlierBooking(error: unknown): string | undefined {
  if (!(error instanceof ApiProblem) || error.code !== 'offer_used') return undefined
  return typeof error.body.booking_id === 'string' ? error.body.booking_id : undefined
}

/** Interprets a failed booking request. `isRepeated`: the same request was sent before with an unknown result. */
export function interpretFailure(error: unknown, isRepeated: boolean): Attempt {
  if (error instanceof SignInDeclined) return { phase: isRepeated ? 'unsure' : 'form' }
  if (!(error instanceof ApiProblem) || isUndecided(error, isRepeated)) return { phase: 'unsure' }
  const { code, status, body } = error
  const isChanged = code === 'price_changed' || code === 'terms_changed'
  if (isChanged && typeof body.room === 'object' && body.room !== null) {
    const changes = Array.isArray(body.changes) ? (body.changes as TermChange[]) : []
    return { phase: 'changed', room: body.room as Room, termsDigest: undefined, changes, wasSent: true }
  }
  if (code === 'payment_required') return { phase: 'declined', code: 'unfinished' }
  if (USELESS_PAYMENT.includes(code)) return { phase: 'declined', code: 'expired' }
  if (code === 'sold_out') return { phase: 'sold_out', alternatives: readAlternatives(body.alternatives) }
  if (status === 410) return { phase: 'offer_expired' }
  return { phase: 'refused', problem: error }
}

/** The service refuses the payment for good; the page creates another. */
const USELESS_PAYMENT = ['payment_expired', 'payment_invalid', 'payment_not_found']

const readAlternatives = (alternatives: unknown): Summary[] =>
  Array.isArray(alternatives) ? (alternatives as FullSummary[]).map(toCard) : []

const toCard = ({ guest_ratings, hero_images, offers, ...same }: FullSummary): Summary => ({
  ...same,
  guest_rating: guest_ratings.overall,
  image: hero_images.med,
  offers_count: offers.length,
})

/** True if this or the earlier request may have booked something. A problem that names a booking is settled. */
function isUndecided({ effect, status, body }: ApiProblem, isRepeated: boolean): boolean {
  if (body.booking_id !== undefined) return false
  return effect === 'unknown' || (isRepeated && leavesEffectUnknown(status, false))
}
