/** Changes that a vendor may make to a booking without notifying us. */
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

/** Price factor after `reprice`. */
export const REPRICE_FACTOR = 1.03

/** Guest name after `other_guest`. */
export const OTHER_GUEST = { given: 'Somebody', family: 'Different' } as const

/** `visibleFrom` of a booking that lookups never show. */
export const NEVER_VISIBLE = Number.MAX_SAFE_INTEGER
