import type { BookBody, Detail, Room } from '../api/shapes.ts'
import { chargeOf } from './charge.ts'
import type { RoomParty } from './stay-form.ts'

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

const keyOf = (id: string) => `serai.checkout.${id}`

export function readCheckout(id: string): Checkout | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(keyOf(id)) ?? 'null') as Checkout | null) ?? undefined
  } catch {
    return undefined
  }
}

export function keepCheckout(checkout: Checkout): void {
  sessionStorage.setItem(keyOf(checkout.id), JSON.stringify(checkout))
}

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
    id: crypto.randomUUID(),
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
    chosen: chosenPrice(room),
    guests: stay.rooms.map((_, place) => (place === 0 ? last.guest : { given: '', family: '' })),
    contact: last.contact,
    attemptKey: crypto.randomUUID(),
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
  if (guest !== undefined)
    sessionStorage.setItem(LAST_GUEST, JSON.stringify({ guest, contact: { ...contact, requests: '' } }))
}

function readLastGuest(): { guest: GuestForm; contact: ContactForm } {
  const blank = { guest: { given: '', family: '' }, contact: { email: '', phone: '', requests: '' } }
  try {
    return { ...blank, ...(JSON.parse(sessionStorage.getItem(LAST_GUEST) ?? '{}') as object) }
  } catch {
    return blank
  }
}

/** The room's sealed offer exactly as received, plus guests and contact. */
export function bookBodyOf({ room, termsDigest, guests, contact, id }: Checkout): BookBody {
  const email = contact.email.trim()
  const phone = contact.phone.trim()
  const reach = { ...(email === '' ? {} : { email }), ...(phone === '' ? {} : { phone }) }
  return {
    ...room.booking_info,
    guests: guests.map(({ given, family }, place) => ({
      given_name: given.trim(),
      family_name: family.trim(),
      ...(place === 0 ? reach : {}),
    })),
    contact: reach,
    ...(contact.requests.trim() === '' ? {} : { special_requests: contact.requests.trim() }),
    ...(termsDigest === undefined ? {} : { terms_digest: termsDigest }),
    client_reference: `web-${id.slice(0, 18)}`,
  }
}

export type FieldName = `given-${number}` | `family-${number}` | 'email' | 'phone'
export type FieldFault = 'missing' | 'not_an_email' | 'not_a_phone'

/** The invalid fields, in the order of the form. */
export function checkGuests(guests: readonly GuestForm[], contact: ContactForm): Map<FieldName, FieldFault> {
  const faults = new Map<FieldName, FieldFault>()
  guests.forEach(({ given, family }, place) => {
    if (given.trim() === '') faults.set(`given-${place}`, 'missing')
    if (family.trim() === '') faults.set(`family-${place}`, 'missing')
  })
  if (contact.email.trim() === '') faults.set('email', 'missing')
  else if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(contact.email.trim())) faults.set('email', 'not_an_email')
  if (contact.phone.trim() === '') faults.set('phone', 'missing')
  else if (!/^\+?[\d\s()./-]{6,24}$/.test(contact.phone.trim())) faults.set('phone', 'not_a_phone')
  return faults
}
