import { toDecimal } from '../../domain/money.ts'
import type { Fault } from '../faults.ts'
import { hotelHead } from './answer-availability.ts'
import { type OpenRate, openRates } from './open-rates.ts'
import { presentRate, type Shop } from './price-rates.ts'
import { type Json, listIn, textIn } from './read-request.ts'
import { invalidData, invalidRequest, ok, type Said } from './vendor-words.ts'

const KEYS_MAX = 10

/** What the keys cost now. Whatever had to be rechecked has been, and comes back bookable under a new key. */
export function answerCheckRates(shop: Shop, body: Json, faults: readonly Fault[], now: number): Said {
  const rateKeys = listIn(body, 'rooms').map((room) => textIn(room, 'rateKey'))
  if (rateKeys.length === 0 || rateKeys.includes('')) return invalidRequest('Error at property rooms->rateKey')
  if (rateKeys.length > KEYS_MAX) return invalidData(`The number of rates must be <= ${KEYS_MAX}`)
  const open = openRates(shop, rateKeys, 'CHECK_RATE', faults, now)
  if (!Array.isArray(open)) return open
  if (new Set(open.map(({ facts }) => facts.recheck)).size > 1) {
    return invalidData('RECHECK and BOOKABLE rates cannot be checked together')
  }
  const [first] = open
  if (first === undefined) return invalidRequest('Error at property rooms')
  const totalNet = open.reduce((sum, { netMinor }) => sum + netMinor, 0)
  return ok({
    hotel: {
      checkIn: first.facts.checkIn,
      checkOut: first.facts.checkOut,
      ...hotelHead(first.property, first.view),
      rooms: roomsOf(shop, open, now),
      totalNet: toDecimal({ minor: totalNet, currency: shop.currency }),
      currency: shop.currency,
      paymentDataRequired: false,
      modificationPolicies: { cancellation: true, modification: true },
    },
  })
}

/** Several keys of one room type come back under one room. */
function roomsOf(shop: Shop, open: readonly OpenRate[], now: number) {
  const codes = [...new Set(open.map(({ facts }) => facts.roomCode))]
  return codes.map((code) => {
    const rates = open.filter(({ facts }) => facts.roomCode === code)
    return {
      code,
      name: rates[0]?.priced.rate.room.name.toUpperCase(),
      rates: rates.map((rate) => checked(shop, rate, now)),
    }
  })
}

function checked(shop: Shop, { facts, property, priced, netMinor }: OpenRate, now: number) {
  const renewed = { ...facts, netMinor, recheck: false, ...(facts.recheck && { issuedAt: now }) }
  const comment = `${facts.rooms}x ${priced.rate.room.name}. Check-in hour ${property.checkInTime}.`
  return { ...presentRate(shop, property, priced, renewed, now), rateComments: comment }
}
