/**
 * Rapid's JSON in Rapid's spelling, and only what we read of it. No response field is required by the vendor's own
 * document, and its own examples break their types, so every leaf is `unknown` until one of the readers below has
 * looked at it. Reading by hand costs a fraction of a schema check on a 500-property answer.
 */
export type WireLink = { readonly href?: unknown; readonly expires?: unknown }

export type WireAmount = { readonly value?: unknown; readonly currency?: unknown; readonly type?: unknown }

export type WireCharge = { readonly billable_currency?: unknown; readonly request_currency?: unknown }

export type WireTotals = {
  readonly inclusive?: unknown
  readonly exclusive?: unknown
  readonly property_inclusive?: unknown
  readonly inclusive_strikethrough?: unknown
  readonly strikethrough?: unknown
  readonly property_inclusive_strikethrough?: unknown
  readonly property_fees?: unknown
}

export type WireFees = {
  readonly mandatory_fee?: unknown
  readonly resort_fee?: unknown
  readonly mandatory_tax?: unknown
}

export type WirePricing = { readonly nightly?: unknown; readonly totals?: unknown; readonly fees?: unknown }

export type WirePenalty = {
  readonly start?: unknown
  readonly end?: unknown
  readonly amount?: unknown
  readonly nights?: unknown
  readonly percent?: unknown
  readonly currency?: unknown
}

export type WireDateRange = { readonly start?: unknown; readonly end?: unknown }

export type WireBedGroup = { readonly id?: unknown; readonly description?: unknown; readonly links?: unknown }

export type WireAmenity = {
  readonly id?: unknown
  readonly name?: unknown
  readonly value?: unknown
  readonly categories?: unknown
}

/** The part that availability and a booked room share. */
export type WireTerms = {
  readonly refundable?: unknown
  readonly cancel_penalties?: unknown
  readonly nonrefundable_date_ranges?: unknown
}

export type WireRate = WireTerms & {
  readonly id?: unknown
  readonly status?: unknown
  readonly available_rooms?: unknown
  readonly merchant_of_record?: unknown
  readonly amenities?: unknown
  readonly bed_groups?: unknown
  readonly occupancy_pricing?: unknown
}

export type WireRoom = { readonly id?: unknown; readonly room_name?: unknown; readonly rates?: unknown }

export type WireAvailability = { readonly property_id?: unknown; readonly status?: unknown; readonly rooms?: unknown }

export type WirePriceCheck = {
  readonly status?: unknown
  readonly occupancy_pricing?: unknown
  readonly links?: unknown
}

export type WireLinks = {
  readonly price_check?: unknown
  readonly book?: unknown
  readonly payment_session?: unknown
  readonly retrieve?: unknown
  readonly resume?: unknown
  readonly cancel?: unknown
  readonly complete_payment_session?: unknown
}

export type WireBookedRate = WireTerms & {
  readonly merchant_of_record?: unknown
  readonly cancel_refund?: unknown
  readonly pricing?: unknown
}

export type WireRefund = { readonly amount?: unknown; readonly currency?: unknown }

export type WireBookedRoom = {
  readonly status?: unknown
  readonly checkin?: unknown
  readonly checkout?: unknown
  readonly rate?: unknown
  readonly links?: unknown
}

export type WireItinerary = {
  readonly itinerary_id?: unknown
  readonly affiliate_reference_id?: unknown
  readonly rooms?: unknown
  readonly links?: unknown
}

export type WireError = { readonly type?: unknown; readonly errors?: unknown; readonly fields?: unknown }
export type WireErrorField = { readonly name?: unknown; readonly value?: unknown }

export type WireImage = { readonly hero_image?: unknown; readonly caption?: unknown; readonly links?: unknown }

export type WireContentRoom = {
  readonly id?: unknown
  readonly name?: unknown
  readonly descriptions?: unknown
  readonly amenities?: unknown
  readonly images?: unknown
  readonly bed_groups?: unknown
  readonly area?: unknown
  readonly occupancy?: unknown
}

export type WireAddress = {
  readonly line_1?: unknown
  readonly line_2?: unknown
  readonly city?: unknown
  readonly state_province_code?: unknown
  readonly state_province_name?: unknown
  readonly postal_code?: unknown
  readonly country_code?: unknown
  readonly obfuscation_required?: unknown
}

export type WireLocation = {
  readonly coordinates?: unknown
  readonly obfuscated_coordinates?: unknown
  readonly obfuscation_required?: unknown
}

/** The fields of content we ask for; anything else is not sent to us at all. */
export const CONTENT_FIELDS = [
  'name',
  'address',
  'ratings',
  'location',
  'phone',
  'category',
  'checkin',
  'checkout',
  'attributes',
  'amenities',
  'images',
  'rooms',
  'descriptions',
  'chain',
  'brand',
] as const

export type WireContent = { readonly property_id?: unknown } & {
  readonly [field in (typeof CONTENT_FIELDS)[number]]?: unknown
}

/** Names that would reach an object's prototype if they were ever used as a key. */
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** An object to read fields of. Sound because every field of the wire types is optional and unknown. */
export function recordOf<T extends object>(value: unknown): T | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as T) : undefined
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The entries of a map, in the vendor's order. */
export function entriesOf(value: unknown): [string, unknown][] {
  const map = recordOf<Record<string, unknown>>(value)
  return map === undefined ? [] : Object.entries(map).filter(([key]) => !PROTOTYPE_KEYS.has(key))
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const ID = /^[A-Za-z0-9_.:-]{1,128}$/

/** An identifier; Rapid writes the same one as a string here and as a number there. Empty when it is none. */
export function idOf(value: unknown): string {
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  return typeof id === 'string' && ID.test(id) && !PROTOTYPE_KEYS.has(id) ? id : ''
}

/** A number that may come as text ("4.3"); 0 when it is none. */
export function numberOf(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : 0
}
