import { compareTraits, MATCH_ODDS } from '../../catalogue/matching/compare-traits.ts'
import { getMatchTraits, type MatchFacts, toMatchFacts } from '../../catalogue/matching/match-traits.ts'
import type { Booking } from '../../domain/booking/booking.ts'
import type { World } from '../../search/world.ts'
import type { Receipt } from '../../vendors/contract.ts'

/** True if the receipt names the booked property. Another vendor id is matched by name, address and position. */
export async function isSameProperty({ properties }: World, booking: Booking, receipt: Receipt): Promise<boolean> {
  const { property, vendorId } = booking
  const reported = receipt.property
  if (reported === undefined || reported.vendorPropertyId === property.vendorPropertyId) return true
  const ref = { vendorId, vendorPropertyId: reported.vendorPropertyId }
  const ours = await properties.listVendors(property.propertyId)
  if (ours.some((own) => own.vendorId === vendorId && own.vendorPropertyId === ref.vendorPropertyId)) return true
  const known = await properties.vendorProperty(ref)
  const theirs = known === undefined ? reportedFacts(vendorId, reported) : toMatchFacts(known)
  if (theirs === undefined) return false
  const match = compareTraits(getMatchTraits(bookedFacts(booking)), getMatchTraits(theirs))
  return match !== undefined && match.odds >= MATCH_ODDS
}

const UNKNOWN_FACTS = { chain: '', category: '', star_rating: 0, city: '', postal_code: '', country_code: '' }

function bookedFacts({ vendorId, property }: Booking): MatchFacts {
  const [address = ''] = property.address.split(', ')
  const { name, phone, location, vendorPropertyId } = property
  const ids = { vendor_id: vendorId, vendor_property_id: vendorPropertyId }
  return { ...UNKNOWN_FACTS, ...location, ...ids, name, phone, address }
}

function reportedFacts(vendorId: string, reported: NonNullable<Receipt['property']>): MatchFacts | undefined {
  if (reported.name === undefined || reported.location === undefined) return undefined
  const { name, location, vendorPropertyId } = reported
  const ids = { vendor_id: vendorId, vendor_property_id: vendorPropertyId }
  return { ...UNKNOWN_FACTS, ...location, ...ids, name, phone: '', address: '' }
}
