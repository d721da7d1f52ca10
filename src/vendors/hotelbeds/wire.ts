/**
 * Hotelbeds' JSON in its own spelling, only what we read. Fields stay `unknown` until a reader has looked at them:
 * a full schema check of an availability answer costs more than parsing it, and one bad rate must cost only itself.
 */
export type Wire<K extends string> = { readonly [P in K]?: unknown }

export type WireRate = Wire<
  | 'rateKey'
  | 'rateClass'
  | 'rateType'
  | 'net'
  | 'sellingRate'
  | 'hotelMandatory'
  | 'allotment'
  | 'paymentType'
  | 'packaging'
  | 'boardCode'
  | 'cancellationPolicies'
  | 'taxes'
  | 'promotions'
  | 'offers'
  | 'shiftRates'
  | 'rooms'
  | 'adults'
  | 'children'
  | 'childrenAges'
>
export type WirePolicy = Wire<'amount' | 'from'>
export type WireTax = Wire<'included' | 'amount' | 'currency' | 'type' | 'subType' | 'clientAmount' | 'clientCurrency'>
export type WireTaxes = Wire<'taxes' | 'allIncluded'>
/** A discount or supplement already inside the price (`offers`), or a promotion to be named (`promotions`). */
export type WireLabel = Wire<'code' | 'name' | 'amount'>
export type WireRoom = Wire<'code' | 'name' | 'rates'>
export type WireHotel = Wire<'code' | 'name' | 'currency' | 'rooms' | 'latitude' | 'longitude'>
export type WireAvailability = Wire<'hotels'>
export type WireHotels = Wire<'hotels' | 'total'>
/** `hotel` on the wire since 2016; the current document calls it `hotels`. */
export type WireCheck = Wire<'hotel' | 'hotels'>

export type WireBooking = Wire<
  'reference' | 'clientReference' | 'status' | 'totalNet' | 'totalSellingRate' | 'currency' | 'hotel' | 'creationDate'
>
export type WireBookedHotel = Wire<'rooms' | 'cancellationAmount' | 'currency' | 'totalNet'>
export type WireBookedRoom = Wire<'status' | 'rates'>

export type WireText = Wire<'content'>
export type WireFacility = Wire<
  | 'facilityCode'
  | 'facilityGroupCode'
  | 'description'
  | 'indLogic'
  | 'indYesOrNo'
  | 'indFee'
  | 'number'
  | 'distance'
  | 'amount'
  | 'currency'
  | 'timeFrom'
  | 'timeTo'
  | 'order'
>
export type WireImage = Wire<'path' | 'imageTypeCode' | 'type' | 'order' | 'visualOrder' | 'roomCode' | 'roomType'>
export type WireContentRoom = Wire<
  'roomCode' | 'roomType' | 'description' | 'maxPax' | 'roomFacilities' | 'roomStays' | 'characteristicCode'
>
export type WireProperty = Wire<
  | 'code'
  | 'name'
  | 'description'
  | 'countryCode'
  | 'country'
  | 'stateCode'
  | 'state'
  | 'coordinates'
  | 'categoryCode'
  | 'category'
  | 'chainCode'
  | 'chain'
  | 'accommodationTypeCode'
  | 'accommodationType'
  | 'address'
  | 'postalCode'
  | 'city'
  | 'phones'
  | 'rooms'
  | 'facilities'
  | 'images'
  | 'wildcards'
>

/** Any object, read under the names of `T`; undefined for anything that is no object. */
export const objectOf = <T extends object>(value: unknown): T | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as T) : undefined

const NOTHING: readonly unknown[] = []
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : NOTHING)

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Codes come as numbers or as strings, by operation and year. */
export function codeOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : ''
}

/** The text of `{ content: "…" }`, or of a bare string (room descriptions are one). */
export const contentOf = (value: unknown): string =>
  typeof value === 'string' ? value : textOf(objectOf<WireText>(value)?.content)

/** A whole number, also where it came as text. */
export function wholeOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

export const isDecimal = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'
