import { leavesOpen } from '../../../packages/client/src/policy.ts'
import { randomId } from '../../../packages/client/src/random-id.ts'
import { ApiProblem, SignInDeclined } from '../api/problem.ts'
import type { BookBody, Detail, Room, Summary, TermChange } from '../api/shapes.ts'
import { chargeOf } from '../offer/charge.ts'
import { SEARCH_FACTS } from '../search/search-facts.ts'
import type { RoomParty } from '../search/stay-form.ts'

export type GuestForm = { readonly given: string; readonly family: string }
export type ContactForm = { readonly email: string; readonly phone: string; readonly requests: string }

/** One checkout, from choosing a room to booking it. Kept in this tab, so that a reload neither loses nor repeats it. */
export type Checkout = {
  readonly id: string
  readonly searchId: string
  readonly propertyId: string
  /** The target of "choose another room". */
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
  /** Whether a booking would reach no real property; absent in checkouts that earlier versions of the page have begun. */
  readonly simulated?: boolean
  /** What the room cost when it was chosen. */
  readonly chosen?: { readonly currency: string; readonly total: number }
  /** Of the price check that `room` comes from; absent until it has been checked. */
  readonly termsDigest?: string | undefined
  readonly guests: readonly GuestForm[]
  readonly contact: ContactForm
  /** One key per attempt: sending the same request again returns the first result. */
  readonly attemptKey: string
  /** The body sent with the key, kept while its result is unknown. */
  readonly sent: BookBody | undefined
  readonly bookingId: string | undefined
}

/** `unsure`: we do not know whether something was booked. */
export type Attempt =
  | { readonly phase: 'form' }
  | { readonly phase: 'sending' }
  | { readonly phase: 'unsure' }
  | { readonly phase: 'refused'; readonly problem: ApiProblem }
  | {
      readonly phase: 'changed'
      readonly room: Room
      readonly termsDigest: string | undefined
      readonly changes: readonly TermChange[]
      /** Whether the guest had already asked to book. */
      readonly wasSent: boolean
    }
  | { readonly phase: 'sold_out'; readonly alternatives: readonly Summary[] }
  | { readonly phase: 'offer_expired' }

const CHECKOUT = 'serai.checkout.'
const keyOf = (id: string) => `${CHECKOUT}${id}`

export function readCheckout(id: string): Checkout | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(keyOf(id)) ?? 'null') as Checkout | null) ?? undefined
  } catch {
    return undefined
  }
}

export function keepCheckout(checkout: Checkout): void {
  keep(keyOf(checkout.id), JSON.stringify(checkout))
}

/** A tab may be open for weeks: where its storage is full, what is no longer needed makes room. */
function keep(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text)
  } catch {
    for (const other of Object.keys(sessionStorage)) if (isPast(other)) sessionStorage.removeItem(other)
    sessionStorage.setItem(key, text)
  }
}

/** Searches can be read again; a checkout is needed while it is not known what came of it. */
const isPast = (key: string): boolean =>
  key.startsWith(SEARCH_FACTS) ||
  (key.startsWith(CHECKOUT) && readCheckout(key.slice(CHECKOUT.length))?.sent === undefined)

type Start = {
  detail: Detail
  room: Room
  rooms: readonly RoomParty[]
  checkIn: string
  checkOut: string
  nights: number
  propertyAddress: string
}

/** Filled in with the last guest of this tab. */
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
    guests: stay.rooms.map((_, place) => (place === 0 ? last.guest : { given: '', family: '' })),
    contact: last.contact,
    attemptKey: randomId('key'),
    sent: undefined,
    bookingId: undefined,
  }
  keepCheckout(checkout)
  return checkout
}

const chosenPrice = (room: Room) => {
  const { currency, total } = chargeOf(room)
  return { currency, total }
}

const LAST_GUEST = 'serai.guest'

export function keepLastGuest(guest: GuestForm | undefined, contact: ContactForm): void {
  if (guest !== undefined) keep(LAST_GUEST, JSON.stringify({ guest, contact: { ...contact, requests: '' } }))
}

function readLastGuest(): { guest: GuestForm; contact: ContactForm } {
  const blank = { guest: { given: '', family: '' }, contact: { email: '', phone: '', requests: '' } }
  try {
    return { ...blank, ...(JSON.parse(sessionStorage.getItem(LAST_GUEST) ?? '{}') as object) }
  } catch {
    return blank
  }
}

/** Marks that come with a name or number copied from a chat or an address book. The service refuses them, and nobody would see why. */
const INVISIBLE = /[\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
const visible = (typed: string): string => typed.replaceAll(INVISIBLE, '').trim()

/** The room's sealed offer exactly as received, plus guests and contact. */
export function bookBodyOf({ room, termsDigest, guests, contact, id }: Checkout): BookBody {
  const email = visible(contact.email)
  // Typed or pasted with other spaces than the service takes.
  const phone = visible(contact.phone).replaceAll(/\s/g, ' ')
  const reach = { ...(email === '' ? {} : { email }), ...(phone === '' ? {} : { phone }) }
  return {
    ...room.booking_info,
    guests: guests.map(({ given, family }, place) => ({
      given_name: visible(given),
      family_name: visible(family),
      ...(place === 0 ? reach : {}),
    })),
    contact: reach,
    ...(contact.requests.trim() === '' ? {} : { special_requests: contact.requests.trim() }),
    ...(termsDigest === undefined ? {} : { terms_digest: termsDigest }),
    client_reference: id,
  }
}

export type FieldName = `given-${number}` | `family-${number}` | 'email' | 'phone'
export type FieldFault = 'missing' | 'not_a_name' | 'not_an_email' | 'not_a_phone'

/** The same as in src/lib/text/email.ts; a test compares them. */
const EMAIL = /^[^\s@"<>()]{1,64}@[^\s@"<>()]{1,180}\.[^\s@"<>().]{2,63}$/

/** The invalid fields, in the order of the form. */
export function checkGuests(guests: readonly GuestForm[], contact: ContactForm): Map<FieldName, FieldFault> {
  const faults = new Map<FieldName, FieldFault>()
  guests.forEach(({ given, family }, place) => {
    const [givenFault, familyFault] = [nameFault(given), nameFault(family)]
    if (givenFault !== undefined) faults.set(`given-${place}`, givenFault)
    if (familyFault !== undefined) faults.set(`family-${place}`, familyFault)
  })
  const [email, phone] = [visible(contact.email), visible(contact.phone)]
  if (email === '') faults.set('email', 'missing')
  else if (!EMAIL.test(email)) faults.set('email', 'not_an_email')
  if (phone === '') faults.set('phone', 'missing')
  else if (!/^\+?[\d\s()./-]{6,24}$/.test(phone)) faults.set('phone', 'not_a_phone')
  return faults
}

/** Those errors of the last attempt that still apply, so that no message stays beside a field that was corrected. */
export function stillWrong(
  found: ReadonlyMap<FieldName, FieldFault>,
  { guests, contact }: Pick<Checkout, 'guests' | 'contact'>,
): Map<FieldName, FieldFault> {
  const now = checkGuests(guests, contact)
  return new Map([...found].filter(([name, fault]) => now.get(name) === fault))
}

/** Vendors take no such signs in names. */
function nameFault(typed: string): FieldFault | undefined {
  const name = visible(typed)
  if (name === '') return 'missing'
  return /[<>()&]/.test(name) || name.length > 60 ? 'not_a_name' : undefined
}

/** The booking that this offer was sent for before, under another key. */
export function earlierBooking(error: unknown): string | undefined {
  if (!(error instanceof ApiProblem) || error.code !== 'offer_used') return undefined
  return typeof error.body.booking_id === 'string' ? error.body.booking_id : undefined
}

/** What a failed request to book means. `isRepeated`: the same was sent before, and what came of that is not known. */
export function outcomeOf(error: unknown, isRepeated: boolean): Attempt {
  if (error instanceof SignInDeclined) return { phase: isRepeated ? 'unsure' : 'form' }
  if (!(error instanceof ApiProblem) || isOpen(error, isRepeated)) return { phase: 'unsure' }
  const { code, status, body } = error
  const isChanged = code === 'price_changed' || code === 'terms_changed'
  if (isChanged && typeof body.room === 'object' && body.room !== null) {
    const changes = Array.isArray(body.changes) ? (body.changes as TermChange[]) : []
    return { phase: 'changed', room: body.room as Room, termsDigest: undefined, changes, wasSent: true }
  }
  if (code === 'sold_out')
    return { phase: 'sold_out', alternatives: Array.isArray(body.alternatives) ? (body.alternatives as Summary[]) : [] }
  if (status === 410) return { phase: 'offer_expired' }
  return { phase: 'refused', problem: error }
}

/** True if it is not known whether this request or the earlier one booked something. A booking that is named has its outcome. */
function isOpen({ effect, status, body }: ApiProblem, isRepeated: boolean): boolean {
  if (body.booking_id !== undefined) return false
  return effect === 'unknown' || (isRepeated && leavesOpen(status, false))
}
