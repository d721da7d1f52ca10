import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import { findFault, hasFault } from '../../server/fault-plan.ts'
import type { Fault } from '../../server/faults.ts'
import type { LedgerEntry } from '../../server/ledger.ts'
import { type Json, listIn, objectIn, textIn } from '../../server/read-json.ts'
import { listNights } from '../../server/stay-dates.ts'
import { type Kept, keptOf, presentDetail } from './kept-booking.ts'
import { type OfferFacts, offerOf, type PricedOffer, type ShopParts } from './price-offers.ts'
import { settingOf } from './settings.ts'
import { badRequest, json, missing, notConfirmed, prebookGone, problem } from './vendor-words.ts'

/** References that failed bookings have used up. */
export type Burnt = Set<string>

const METHODS = ['WALLET', 'CREDIT', 'ACC_CREDIT_CARD']

/** A used reference is refused; the same prebook without one books again and again. */
export function answerBook(
  shop: ShopParts,
  burnt: Burnt,
  sent: unknown,
  faults: readonly Fault[],
  now: number,
): StandInAnswer {
  const body = objectIn(sent)
  const refused = refuseForm(body)
  if (refused !== undefined) return refused
  const reference = textIn(body, 'clientReference')
  if (isUsed(shop, burnt, reference, now)) {
    return problem(400, 4005, 'duplicate booking attempt with existing client reference')
  }
  const facts = shop.tokens.open<OfferFacts>('prebook', textIn(body, 'prebookId'))
  if (facts === 'invalid' || facts === 'expired' || hasFault(faults, 'expired')) return prebookGone
  if (listIn(body, 'guests').length !== facts.parties.length) return missing('one guest per room is required')
  const failed = (answer: StandInAnswer) => {
    if (settingOf(shop.settings, 'burntReferences') === 1) burnt.add(reference)
    return answer
  }
  if (hasFault(faults, 'product_error'))
    return failed(problem(400, 2013, 'booking failed', 'provider response was unsuccessful'))
  const offer = hasFault(faults, 'sold_out') || hasFault(faults, 'price_change') ? undefined : offerOf(shop, facts, now)
  if (offer === undefined || !takeRooms(shop, offer, facts))
    return failed(notConfirmed('the room is no longer available'))
  const kept = billed(keptOf(shop, body, offer, facts, bookingIdOf(shop), now), faults)
  const hiddenMs = findFault(faults, 'late_visibility')?.ms ?? 0
  for (const entry of entriesOf(kept, offer, facts, now, hiddenMs)) shop.ledger.append(entry)
  if (hasFault(faults, 'refuse_after')) return problem(400, 2014, 'booking incomplete', 'booking data was not updated')
  return json(200, { data: presentDetail(shop.settings, kept, now), guestLevel: 0, sandbox: true })
}

/** Stricter than the vendor's sandbox, which asks for next to nothing. */
function refuseForm(body: Json): StandInAnswer | undefined {
  const holder = objectIn(body, 'holder')
  if (textIn(body, 'prebookId') === '') return missing('prebookId is required')
  if (['firstName', 'lastName', 'email', 'phone'].some((name) => textIn(holder, name) === ''))
    return missing('holder is required')
  const guests = listIn(body, 'guests').map((guest) => objectIn(guest))
  const isGood = guests.every(
    (guest, at) =>
      guest.occupancyNumber === at + 1 &&
      ['firstName', 'lastName', 'email'].every((name) => textIn(guest, name) !== ''),
  )
  if (guests.length === 0 || !isGood) return missing('guests are required')
  return METHODS.includes(textIn(objectIn(body, 'payment'), 'method'))
    ? undefined
    : badRequest('missing or not supported payment method')
}

function isUsed({ ledger, settings }: ShopParts, burnt: Burnt, reference: string, now: number): boolean {
  if (reference === '') return false
  const lines =
    settingOf(settings, 'lateReferences') === 1 ? ledger.visible(reference, now) : ledger.byReference(reference)
  return lines.length > 0 || burnt.has(reference)
}

/** All rooms or none. */
function takeRooms({ allotment }: ShopParts, { property, rooms }: PricedOffer, facts: OfferFacts): boolean {
  const nights = listNights(facts)
  const counts = [...countsOf(rooms).values()]
  const taken = counts.findIndex(({ room, count }) => !allotment.take(property.key, room, nights, count))
  if (taken === -1) return true
  for (const { room, count } of counts.slice(0, taken)) allotment.giveBack(property.key, room, nights, count)
  return false
}

function countsOf(rooms: PricedOffer['rooms']) {
  const groups = Map.groupBy(rooms, ({ rate }) => rate.room.number)
  return new Map(
    [...groups].flatMap(([number, list]) => {
      const room = list[0]?.rate.room
      return room === undefined ? [] : [[number, { room, count: list.length, list }] as const]
    }),
  )
}

/** What a `bill_more` bills. */
const billed = (kept: Kept, faults: readonly Fault[]): Kept =>
  hasFault(faults, 'bill_more')
    ? {
        ...kept,
        rooms: kept.rooms.map((room) => ({
          ...room,
          retail: room.retail + raised(room.net),
          net: room.net + raised(room.net),
        })),
      }
    : kept

const raised = (net: number) => Math.max(1, Math.round(net * 0.02))

const bookingIdOf = ({ ledger }: ShopParts) => `Lt${String(1_000_001 + ledger.all().length)}`

/** One line per room type. */
function entriesOf(
  kept: Kept,
  { property, rooms }: PricedOffer,
  facts: OfferFacts,
  now: number,
  hiddenMs: number,
): LedgerEntry[] {
  return Array.from(countsOf(rooms), ([roomNumber, { count }]) => ({
    vendorReference: kept.bookingId,
    ourReference: kept.clientReference,
    status: 'confirmed',
    createdAt: now,
    visibleFrom: now + hiddenMs,
    propertyKey: property.key,
    roomNumber,
    nights: listNights(facts),
    count,
    total: {
      minor: kept.rooms
        .filter((_, at) => rooms[at]?.rate.room.number === roomNumber)
        .reduce((sum, { net }) => sum + net, 0),
      currency: kept.currency,
    },
    email: textIn(kept.holder, 'email'),
    holder: `${textIn(kept.holder, 'firstName')} ${textIn(kept.holder, 'lastName')}`,
    raw: kept,
  }))
}
