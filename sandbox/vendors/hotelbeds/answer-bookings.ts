import { findFault, hasFault } from '../../server/fault-plan.ts'
import type { Fault } from '../../server/faults.ts'
import type { Ledger, LedgerEntry } from '../../server/ledger.ts'
import { type Json, listIn, objectIn, textIn } from '../../server/read-json.ts'
import { listNights } from '../../server/stay-dates.ts'
import { createKept, type Kept, presentCancelled, presentConfirmed, presentFull } from './kept-booking.ts'
import { type OpenRate, openRates } from './open-rates.ts'
import { computeCharge, type Shop } from './price-rates.ts'
import { invalidData, productError, type Reply, requestError, success } from './vendor-words.ts'

export type BookingDeps = Shop & { readonly ledger: Ledger }

const DEFAULT_TOLERANCE = 2

/** Books without de-duplication: a repeated clientReference makes two bookings. */
export function answerBook(deps: BookingDeps, body: Json, faults: readonly Fault[], now: number): Reply {
  const refused = refuseForm(body)
  if (refused !== undefined) return refused
  const entries = listIn(body, 'rooms')
  const open = openRates(
    deps,
    entries.map((entry) => textIn(entry, 'rateKey')),
    'BOOKING_CONFIRM',
    faults,
    now,
  )
  if (!Array.isArray(open)) return open
  const mismatch = open.map((rate, index) => refusePaxes(rate, entries[index])).find((reply) => reply !== undefined)
  if (mismatch !== undefined) return mismatch
  if (open.some(({ facts }) => facts.recheck)) return invalidData('The rate must be rechecked before it is booked')
  const tolerance = body.tolerance === undefined ? DEFAULT_TOLERANCE : Number(body.tolerance)
  const raised = open.some(({ facts, netMinor }) => netMinor > facts.netMinor * (1 + tolerance / 100))
  if (raised) {
    return productError(
      'BOOKING_CONFIRM',
      `Price has changed: Unable to book as the price difference exceeds the allowed tolerance - Current tolerance: ${tolerance}%`,
    )
  }
  if (!takeRooms(deps, open)) return productError('BOOKING_CONFIRM', 'Insufficient allotment')
  const billed = hasFault(faults, 'bill_more') ? open.map(raiseBill) : open
  const kept = createKept(deps, body, billed, bookingReference(deps.ledger), now)
  for (const entry of createEntries(deps, kept, billed, now, findFault(faults, 'late_visibility')?.ms ?? 0)) {
    deps.ledger.append(entry)
  }
  return success({ booking: presentConfirmed(kept) })
}

/** Price after the `bill_more` fault. */
const raiseBill = (rate: OpenRate): OpenRate => ({
  ...rate,
  facts: { ...rate.facts, netMinor: Math.round(rate.facts.netMinor * 1.02) },
})

function refuseForm(body: Json): Reply | undefined {
  const holder = objectIn(body, 'holder')
  const hasLength = (text: string, min: number, max: number) => text.length >= min && text.length <= max
  if (!hasLength(textIn(holder, 'name'), 1, 50) || !hasLength(textIn(holder, 'surname'), 1, 50)) {
    return requestError('Error at property holder: name and surname are mandatory (1..50)')
  }
  if (!hasLength(textIn(body, 'clientReference'), 1, 20)) {
    return requestError('Error at property clientReference: length must be between 1 and 20')
  }
  if (textIn(body, 'remark').length > 2000) return requestError('Error at property remark: length must be <= 2000')
  if (listIn(body, 'rooms').length === 0) return requestError('Error at property rooms: may not be empty')
  const tolerance = Number(body.tolerance ?? 0)
  return tolerance >= 0 && tolerance <= 100 ? undefined : requestError('Error at property tolerance')
}

/** All guests of the key must be listed: children with their age, and one named adult per room. */
function refusePaxes({ facts }: OpenRate, entry: unknown): Reply | undefined {
  const paxes = listIn(entry, 'paxes').map((pax) => objectIn(pax))
  const expectedAges = [...facts.childrenAges].sort((a, b) => a - b).join()
  for (let roomId = 1; roomId <= facts.rooms; roomId++) {
    const room = paxes.filter((pax) => pax.roomId === roomId)
    const adults = room.filter((pax) => pax.type === 'AD')
    const ages = room.filter((pax) => pax.type === 'CH').map((pax) => Number(pax.age))
    if (adults.length !== facts.adults || ages.sort((a, b) => a - b).join() !== expectedAges) {
      return invalidData('The number of paxes does not match with the rateKey')
    }
    if (!adults.some((pax) => textIn(pax, 'name') !== '')) return invalidData('An adult name is required per room')
  }
  return paxes.length === facts.rooms * (facts.adults + facts.childrenAges.length)
    ? undefined
    : invalidData('The number of paxes does not match with the rateKey')
}

/** Takes all rooms or none. */
function takeRooms(deps: BookingDeps, open: readonly OpenRate[]): boolean {
  const taken: OpenRate[] = []
  for (const rate of open) {
    const { property, priced, facts } = rate
    if (deps.allotment.take(property.key, priced.rate.room, listNights(facts), facts.rooms)) taken.push(rate)
    else {
      for (const { property: booked, priced: held, facts: key } of taken) {
        deps.allotment.giveBack(booked.key, held.rate.room, listNights(key), key.rooms)
      }
      return false
    }
  }
  return true
}

const bookingReference = (ledger: Ledger) => `1-${4_000_001 + ledger.all().length}`

/** One line per room type; two parties in the same type share it. */
function createEntries(
  shop: Shop,
  kept: Kept,
  open: readonly OpenRate[],
  now: number,
  hiddenMs: number,
): LedgerEntry[] {
  const numbers = [...new Set(open.map(({ priced }) => priced.rate.room.number))]
  return numbers.map((roomNumber) => {
    const rates = open.filter(({ priced }) => priced.rate.room.number === roomNumber)
    const [first] = rates
    return {
      vendorReference: kept.reference,
      ourReference: kept.clientReference,
      status: 'confirmed',
      createdAt: now,
      visibleFrom: now + hiddenMs,
      propertyKey: first?.property.key ?? 0,
      roomNumber,
      nights: first === undefined ? [] : listNights(first.facts),
      count: rates.reduce((sum, { facts }) => sum + facts.rooms, 0),
      total: {
        minor: rates.reduce(
          (sum, { property, priced, facts }) => sum + computeCharge(shop, property, priced.rate, facts),
          0,
        ),
        currency: shop.currency,
      },
      email: '',
      holder: `${kept.holder.name} ${kept.holder.surname}`,
      raw: kept,
    }
  })
}

/** Lines of a booking that lookups may show now. The client's own reference finds nothing here. */
export const visibleLines = (deps: BookingDeps, reference: string, now: number): LedgerEntry[] =>
  deps.ledger.visible(reference, now).filter((line) => line.vendorReference === reference)

/** Guests are returned in a different order than they were sent. */
export function answerDetail(lines: readonly LedgerEntry[]): Reply['body'] {
  const booked = lines[0]?.raw as Kept
  const kept = {
    ...booked,
    rooms: booked.rooms.map((room) => ({ ...room, paxes: listIn(room, 'paxes').toReversed() })),
  }
  const { cancelledFor } = kept
  return { booking: cancelledFor === undefined ? presentFull(kept) : presentCancelled(kept, cancelledFor) }
}
