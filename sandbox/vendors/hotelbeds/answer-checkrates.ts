import { toDecimal } from '../../../src/domain/money/money.ts'
import { hasFault } from '../../server/fault-plan.ts'
import type { Fault } from '../../server/faults.ts'
import { type Json, listIn, textIn } from '../../server/read-json.ts'
import { hashShare } from '../../world/hash.ts'
import { spellRoom } from '../../world/rooms/spell-room.ts'
import { hotelHead } from './answer-availability.ts'
import { formatComment } from './comments.ts'
import { type OpenRate, openRates } from './open-rates.ts'
import { presentRate, type Shop } from './price-rates.ts'
import { invalidData, productError, type Reply, requestError, success } from './vendor-words.ts'

const KEYS_MAX = 10

/** Returns the current price of the keys. Rates that required a recheck become bookable under a new key. */
export function answerCheckRates(shop: Shop, body: Json, faults: readonly Fault[], now: number): Reply {
  const rateKeys = listIn(body, 'rooms').map((room) => textIn(room, 'rateKey'))
  if (rateKeys.length === 0 || rateKeys.includes('')) return requestError('Error at property rooms->rateKey')
  if (rateKeys.length > KEYS_MAX) return invalidData(`The number of rates must be <= ${KEYS_MAX}`)
  if (hasFault(faults, 'product_error')) return productError('CHECK_RATE', 'Supplier response timed out')
  const open = openRates(shop, rateKeys, 'CHECK_RATE', faults, now)
  if (!Array.isArray(open)) return open
  if (new Set(open.map(({ facts }) => facts.recheck)).size > 1) {
    return invalidData('RECHECK and BOOKABLE rates cannot be checked together')
  }
  const [first] = open
  if (first === undefined) return requestError('Error at property rooms')
  const rechecks = open.filter(({ facts }) => facts.recheck).length
  if (rechecks > 1 && hashShare(first.property.key, 51) < shop.settings.oneRecheckOnly) {
    return productError('CHECK_RATE', 'Several rates in one request are not supported')
  }
  const isPackaging = hasFault(faults, 'packaging')
  const totalNet = open.reduce((sum, { netMinor }) => sum + netMinor, 0)
  return success({
    hotel: {
      checkIn: first.facts.checkIn,
      checkOut: first.facts.checkOut,
      ...hotelHead(first.property, first.view),
      rooms: groupByRoom(shop, open, now, isPackaging),
      totalNet: toDecimal({ minor: totalNet, currency: shop.currency }),
      currency: shop.currency,
      paymentDataRequired: open.some(({ facts }) => facts.payment === 'AT_HOTEL'),
      modificationPolicies: { cancellation: true, modification: true },
    },
  })
}

/** Several keys of one room type are grouped under one room. */
function groupByRoom(shop: Shop, open: readonly OpenRate[], now: number, isPackaging: boolean) {
  const codes = [...new Set(open.map(({ facts }) => facts.roomCode))]
  return codes.map((code) => {
    const rates = open.filter(({ facts }) => facts.roomCode === code)
    return {
      code,
      name: rates.slice(0, 1).map(({ property, priced }) => spellRoom('capitals', property, priced.rate.room))[0],
      rates: rates.map((rate) => ({ ...presentChecked(shop, rate, now), ...(isPackaging && { packaging: true }) })),
    }
  })
}

function presentChecked(shop: Shop, { facts, property, priced, netMinor }: OpenRate, now: number) {
  const renewed = { ...facts, netMinor, recheck: false, ...(facts.recheck && { issuedAt: now }) }
  const room = spellRoom('capitals', property, priced.rate.room)
  const rateComments = formatComment(property, { rooms: facts.rooms, room }, shop.settings)
  return { ...presentRate(shop, property, priced, renewed, now), rateComments }
}
