import { compareTraits, MATCH_ODDS } from '../../catalogue/matching/compare-traits.ts'
import { type MatchFacts, matchFactsOf, matchTraitsOf } from '../../catalogue/matching/match-traits.ts'
import type { Booking } from '../../domain/booking/booking.ts'
import type { World } from '../../search/world.ts'
import type { Receipt } from '../../vendors/contract.ts'

/**
 * Whether the property that a vendor now names is the one that was booked. Under another id it is judged as any two vendor
 * properties are: by name, address and position. What cannot be judged is another one.
 */
export async function isSameProperty({ properties }: World, booking: Booking, receipt: Receipt): Promise<boolean> {
  const { property, vendorId } = booking
  const said = receipt.property
  if (said === undefined || said.vendorPropertyId === property.vendorPropertyId) return true
  const ref = { vendorId, vendorPropertyId: said.vendorPropertyId }
  const ours = await properties.vendorsOf(property.propertyId)
  if (ours.some((one) => one.vendorId === vendorId && one.vendorPropertyId === ref.vendorPropertyId)) return true
  const known = await properties.vendorProperty(ref)
  const theirs = known === undefined ? saidFacts(vendorId, said) : matchFactsOf(known)
  if (theirs === undefined) return false
  const judged = compareTraits(matchTraitsOf(bookedFacts(booking)), matchTraitsOf(theirs))
  return judged !== undefined && judged.odds >= MATCH_ODDS
}

const NOTHING_MORE = { chain: '', category: '', star_rating: 0, city: '', postal_code: '', country_code: '' }

function bookedFacts({ vendorId, property }: Booking): MatchFacts {
  const [address = ''] = property.address.split(', ')
  const { name, phone, location, vendorPropertyId } = property
  const ids = { vendor_id: vendorId, vendor_property_id: vendorPropertyId }
  return { ...NOTHING_MORE, ...location, ...ids, name, phone, address }
}

/** As far as the answer itself tells. */
function saidFacts(vendorId: string, said: NonNullable<Receipt['property']>): MatchFacts | undefined {
  if (said.name === undefined || said.location === undefined) return undefined
  const { name, location, vendorPropertyId } = said
  const ids = { vendor_id: vendorId, vendor_property_id: vendorPropertyId }
  return { ...NOTHING_MORE, ...location, ...ids, name, phone: '', address: '' }
}
