import { findFault, hasFault } from '../../server/fault-plan.ts'
import type { Fault } from '../../server/faults.ts'
import type { Ledger, LedgerEntry } from '../../server/ledger.ts'
import { type Json, listIn, objectIn, textIn } from '../../server/read-json.ts'
import { listNights } from '../../server/stay-dates.ts'
import { type Kept, keptOf, presentBooking, presentCancelled, presentConfirmed } from './kept-booking.ts'
import { type OpenRate, openRates } from './open-rates.ts'
import { chargeOf, type Shop } from './price-rates.ts'
import { invalidData, invalidRequest, ok, productError, type Said } from './vendor-words.ts'

export type BookingDeps = Shop & { readonly ledger: Ledger }

const DEFAULT_TOLERANCE = 2

/** Books, and de-duplicates nothing: the same clientReference twice makes two bookings. */
export function answerBook(deps: BookingDeps, body: Json, faults: readonly Fault[], now: number): Said {
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
  const mismatch = open.map((rate, index) => refusePaxes(rate, entries[index])).find((said) => said !== undefined)
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
  const billed = hasFault(faults, 'bill_more') ? open.map(billedMore) : open
  const kept = keptOf(deps, body, billed, bookingReference(deps.ledger), now)
  for (const entry of entriesOf(deps, kept, billed, now, findFault(faults, 'late_visibility')?.ms ?? 0)) {
    deps.ledger.append(entry)
  }
  return ok({ booking: presentConfirmed(kept) })
}

/** What a `bill_more` bills. */
const billedMore = (rate: OpenRate): OpenRate => ({
  ...rate,
  facts: { ...rate.facts, netMinor: Math.round(rate.facts.netMinor * 1.02) },
})

function refuseForm(body: Json): Said | undefined {
  const holder = objectIn(body, 'holder')
  const within = (text: string, min: number, max: number) => text.length >= min && text.length <= max
  if (!within(textIn(holder, 'name'), 1, 50) || !within(textIn(holder, 'surname'), 1, 50)) {
    return invalidRequest('Error at property holder: name and surname are mandatory (1..50)')
  }
  if (!within(textIn(body, 'clientReference'), 1, 20)) {
    return invalidRequest('Error at property clientReference: length must be between 1 and 20')
  }
  if (textIn(body, 'remark').length > 2000) return invalidRequest('Error at property remark: length must be <= 2000')
  if (listIn(body, 'rooms').length === 0) return invalidRequest('Error at property rooms: may not be empty')
  const tolerance = Number(body.tolerance ?? 0)
  return tolerance >= 0 && tolerance <= 100 ? undefined : invalidRequest('Error at property tolerance')
}

/** All guests of the key must be listed: children with their age, and one adult per room with a name. */
function refusePaxes({ facts }: OpenRate, entry: unknown): Said | undefined {
  const paxes = listIn(entry, 'paxes').map((pax) => objectIn(pax))
  const wantedAges = [...facts.childrenAges].sort((a, b) => a - b).join()
  for (let roomId = 1; roomId <= facts.rooms; roomId++) {
    const room = paxes.filter((pax) => pax.roomId === roomId)
    const adults = room.filter((pax) => pax.type === 'AD')
    const ages = room.filter((pax) => pax.type === 'CH').map((pax) => Number(pax.age))
    if (adults.length !== facts.adults || ages.sort((a, b) => a - b).join() !== wantedAges) {
      return invalidData('The number of paxes does not match with the rateKey')
    }
    if (!adults.some((pax) => textIn(pax, 'name') !== '')) return invalidData('An adult name is required per room')
  }
  return paxes.length === facts.rooms * (facts.adults + facts.childrenAges.length)
    ? undefined
    : invalidData('The number of paxes does not match with the rateKey')
}

/** All rooms or none. */
function takeRooms(deps: BookingDeps, open: readonly OpenRate[]): boolean {
  const taken: OpenRate[] = []
  for (const rate of open) {
    const { property, priced, facts } = rate
    if (deps.allotment.take(property.key, priced.rate.room, listNights(facts), facts.rooms)) taken.push(rate)
    else {
      for (const { property: booked, priced: of, facts: key } of taken) {
        deps.allotment.giveBack(booked.key, of.rate.room, listNights(key), key.rooms)
      }
      return false
    }
  }
  return true
}

const bookingReference = (ledger: Ledger) => `1-${4_000_001 + ledger.all().length}`

/** One line per room type; two parties in the same type share it. */
function entriesOf(shop: Shop, kept: Kept, open: readonly OpenRate[], now: number, hiddenMs: number): LedgerEntry[] {
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
          (sum, { property, priced, facts }) => sum + chargeOf(shop, property, priced.rate, facts),
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

/** The lines of a booking that look-ups may show now; a client's own reference finds nothing here. */
export const visibleLines = (deps: BookingDeps, reference: string, now: number): LedgerEntry[] =>
  deps.ledger.visible(reference, now).filter((line) => line.vendorReference === reference)

/** Guests come in another order than they were sent in. */
export function answerDetail(lines: readonly LedgerEntry[]): Said['body'] {
  const booked = lines[0]?.raw as Kept
  const kept = {
    ...booked,
    rooms: booked.rooms.map((room) => ({ ...room, paxes: listIn(room, 'paxes').toReversed() })),
  }
  const { cancelledFor } = kept
  return { booking: cancelledFor === undefined ? presentBooking(kept) : presentCancelled(kept, cancelledFor) }
}
