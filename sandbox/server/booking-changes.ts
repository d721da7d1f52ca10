/** What a vendor may do to a booking of its own accord, telling nobody. */
export const BOOKING_CHANGES = [
  'cancel',
  'cancel_room',
  'drop_room',
  'other_hotel',
  'other_dates',
  'reprice',
  'other_guest',
  'vanish',
] as const
export type BookingChange = (typeof BOOKING_CHANGES)[number]

/** How much more a booking costs after `reprice`. */
export const REPRICED = 1.03

/** Whom a booking is for after `other_guest`. */
export const OTHER_GUEST = { given: 'Somebody', family: 'Different' } as const

/** Look-ups show a booking from then on: never. */
export const NEVER_VISIBLE = Number.MAX_SAFE_INTEGER
