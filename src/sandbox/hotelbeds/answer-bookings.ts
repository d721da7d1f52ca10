import { faultOf } from '../fault-plan.ts'
import type { Fault } from '../faults.ts'
import type { Ledger, LedgerEntry } from '../ledger.ts'
import { type Kept, keptOf, presentBooking, presentCancelled } from './kept-booking.ts'
import { type OpenRate, openRates } from './open-rates.ts'
import { nightsOf, type Shop } from './price-rates.ts'
import { type Json, listIn, objectIn, textIn } from './read-request.ts'
import { invalidData, invalidRequest, ok, productError, type Said } from './vendor-words.ts'

export type Desk = Shop & { readonly ledger: Ledger }

const DEFAULT_TOLERANCE = 2

/** Books, and de-duplicates nothing: the same clientReference twice makes two bookings. */
export function answerBook(desk: Desk, body: Json, faults: readonly Fault[], now: number): Said {
  const refused = refuseForm(body)
  if (refused !== undefined) return refused
  const entries = listIn(body, 'rooms')
  const open = openRates(
    desk,
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
  if (!takeRooms(desk, open)) return productError('BOOKING_CONFIRM', 'Insufficient allotment')
  const kept = keptOf(desk, body, open, bookingReference(desk.ledger), now)
  for (const entry of entriesOf(kept, open, desk.currency, now, faultOf(faults, 'late_visibility')?.ms ?? 0)) {
    desk.ledger.append(entry)
  }
  return ok({ booking: presentBooking(kept) })
}

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

/** Everybody in the key must be named by kind, children by age, and one adult a room by name. */
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
function takeRooms(desk: Desk, open: readonly OpenRate[]): boolean {
  const taken: OpenRate[] = []
  for (const rate of open) {
    const { property, priced, facts } = rate
    if (desk.allotment.take(property.key, priced.rate.room, nightsOf(facts), facts.rooms)) taken.push(rate)
    else {
      for (const { property: house, priced: of, facts: key } of taken) {
        desk.allotment.giveBack(house.key, of.rate.room, nightsOf(key), key.rooms)
      }
      return false
    }
  }
  return true
}

const bookingReference = (ledger: Ledger) => `1-${4_000_001 + ledger.all().length}`

/** One line a room type; two parties in the same type share it. */
function entriesOf(
  kept: Kept,
  open: readonly OpenRate[],
  currency: string,
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
      nights: first === undefined ? [] : nightsOf(first.facts),
      count: rates.reduce((sum, { facts }) => sum + facts.rooms, 0),
      total: { minor: rates.reduce((sum, { facts }) => sum + facts.netMinor, 0), currency },
      email: '',
      holder: `${kept.holder.name} ${kept.holder.surname}`,
      raw: kept,
    }
  })
}

/** What a booking looks like to its owner now: the last lines of its reference that may be seen. */
export function bookingSeen(desk: Desk, reference: string, now: number): readonly LedgerEntry[] {
  const lines = desk.ledger.byReference(reference).filter((line) => line.vendorReference === reference)
  const last = new Map(lines.map((line) => [line.roomNumber, line]))
  return [...last.values()].filter((line) => line.visibleFrom <= now)
}

export function answerDetail(lines: readonly LedgerEntry[]): Said['body'] {
  const kept = lines[0]?.raw as Kept
  return { booking: kept.cancelledFor === undefined ? presentBooking(kept) : presentCancelled(kept, kept.cancelledFor) }
}
