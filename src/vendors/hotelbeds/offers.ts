import type { CallContext } from '../../lib/call-context.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Call, type Reply, readWith } from '../call.ts'
import type { AvailabilityAnswer, Vendor } from '../contract.ts'
import { VendorError } from '../vendor-error.ts'
import type { HotelbedsConfig } from './config.ts'
import { type DecodeFrame, decodePriceCheck, decodeRooms, hotelsOf, RATE_KEY_TTL_MS } from './decode.ts'
import { encodeAvailability, encodePriceCheck, encodeRooms } from './encode.ts'
import { fail } from './failure.ts'
import { decodeRef, partiesOfKeys, type StayRef } from './offer-ref.ts'
import { type Party, partiesOf } from './parties.ts'
import { readingOf } from './read-availability.ts'

type Deps = { config: HotelbedsConfig; answered(call: Call, context: CallContext): Promise<Reply>; clock: Clock }

const isCode = (id: string) => /^\d{1,10}$/.test(id)

/** Everything up to the booking: reads, all of them. */
export function createOffers({ config, answered, clock }: Deps): Pick<Vendor, 'availability' | 'rooms' | 'priceCheck'> {
  const frameOf = (parties: readonly Party[], zone?: string): DecodeFrame => ({
    parties,
    pricing: config.pricing,
    now: clock.now(),
    ...(zone !== undefined && { zone }),
    ...(config.currencies !== undefined && { currencies: config.currencies }),
  })
  const noHotels = () => fail('malformed', 'none', 'no list of hotels')

  return {
    async availability(query, context) {
      const ids = query.vendorPropertyIds.filter(isCode)
      if (ids.length === 0) return { offers: [], dropped: 0 }
      const reading = readingOf(frameOf(partiesOf(query.stay)))
      const call = encodeAvailability({ ...query, vendorPropertyIds: ids })
      return readWith(reading, await answered({ ...call, reading }, context)) as AvailabilityAnswer
    },

    async rooms(query, context) {
      if (!isCode(query.vendorPropertyId)) return []
      const expiresAt = clock.now() + RATE_KEY_TTL_MS
      const hotels = hotelsOf((await answered(encodeRooms(query), context)).body) ?? noHotels()
      return decodeRooms(hotels, query.vendorPropertyId, frameOf(partiesOf(query.stay), query.timezone), expiresAt)
    },

    async priceCheck(offerRef, context) {
      const ref = decodeRef(offerRef) ?? fail('refused', 'none', 'an offer of another make')
      try {
        const bodies: unknown[] = []
        for (const keys of keysByKind(ref)) bodies.push((await answered(encodePriceCheck(keys), context)).body)
        const checked = decodePriceCheck(bodies, ref, frameOf(partiesOfKeys(ref.parties), ref.zone))
        return checked ?? fail('malformed', 'none', 'no checked rates')
      } catch (error) {
        if (error instanceof VendorError && error.fault === 'sold_out') return { status: 'sold_out' }
        throw error
      }
    },
  }
}

/** Rates to recheck and bookable ones never share a call: suppliers refuse the mixture. */
function keysByKind(ref: StayRef): string[][] {
  const recheck = ref.rates.filter((rate) => rate.recheck).map((rate) => rate.rateKey)
  const bookable = ref.rates.filter((rate) => !rate.recheck).map((rate) => rate.rateKey)
  return [recheck, bookable].filter((keys) => keys.length > 0)
}
