import type { OfferRef } from '../../domain/offer.ts'
import type { Occupancy, Stay } from '../../domain/stay.ts'
import { occupancyKey } from '../../domain/stay.ts'
import { isPlainDate } from '../../lib/plain-date.ts'
import { VendorError } from '../vendor-error.ts'
import { houseOf } from './describe.ts'
import type { Priced } from './price.ts'
import { ratePlansOf } from './rate-plans.ts'
import { roomKindsOf } from './rooms.ts'
import { siteOf } from './town.ts'
import type { SimulatorId } from './vendor-ids.ts'

/** The question behind an offer, so that its price can be worked out again by any process at any time. */
export function refOf({ site, room, plan, stay, currency, isRaised }: Priced, timezone: string): OfferRef {
  return {
    property: site.propertyId,
    room: room.id,
    plan: plan.id,
    check_in: stay.checkIn,
    check_out: stay.checkOut,
    party: stay.occupancies.map(occupancyKey),
    currency,
    timezone,
    raised: isRaised,
  }
}

export function readRef(vendorId: SimulatorId, ref: OfferRef): { asked: Priced; timezone: string } {
  const site = siteOf(String(ref.property))
  const room = roomKindsOf(houseOf(site)).find(({ id }) => id === ref.room)
  const plan = ratePlansOf(site).find(({ id }) => id === ref.plan)
  const stay = stayOf(ref)
  if (room === undefined || plan === undefined || stay === undefined) {
    throw new VendorError(vendorId, 'malformed', 'none', { detail: 'an offer reference of another make' })
  }
  const asked = { vendorId, site, room, plan, stay, currency: String(ref.currency), isRaised: ref.raised === true }
  return { asked, timezone: String(ref.timezone) }
}

function stayOf({ check_in, check_out, party }: OfferRef): Stay | undefined {
  const [checkIn, checkOut] = [String(check_in), String(check_out)]
  const occupancies = Array.isArray(party) ? party.map(partyOf) : []
  if (!isPlainDate(checkIn) || !isPlainDate(checkOut) || occupancies.length === 0) return undefined
  return { checkIn, checkOut, occupancies }
}

function partyOf(text: string): Occupancy {
  const [adults = '', ages = ''] = text.split('-')
  return { adults: Number(adults), childrenAges: ages === '' ? [] : ages.split(',').map(Number) }
}
