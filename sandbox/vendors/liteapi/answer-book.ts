import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import { findFault, hasFault } from '../../server/fault-plan.ts'
import type { Fault } from '../../server/faults.ts'
import type { LedgerEntry } from '../../server/ledger.ts'
import { type Json, listIn, objectIn, textIn } from '../../server/read-json.ts'
import { listNights } from '../../server/stay-dates.ts'
import { createKept, type Kept, presentFull } from './kept-booking.ts'
import { findOffer, type OfferFacts, type PricedOffer, type ShopParts } from './price-offers.ts'
import { readSetting } from './settings.ts'
import { badRequest, json, missing, notConfirmed, prebookGone, problem } from './vendor-words.ts'

/** References that failed bookings have consumed. */
export type SpentReferences = Set<string>

const METHODS = ['WALLET', 'CREDIT', 'ACC_CREDIT_CARD']

/** A used reference is rejected. Without a reference, the same prebook can be booked repeatedly. */
export function answerBook(
  shop: ShopParts,
  spentReferences: SpentReferences,
  sent: unknown,
  faults: readonly Fault[],
  now: number,
): StandInAnswer {
  const body = objectIn(sent)
  const refused = refuseForm(body)
  if (refused !== undefined) return refused
  const reference = textIn(body, 'clientReference')
  if (isUsed(shop, spentReferences, reference, now)) {
    return problem(400, 4005, 'duplicate booking attempt with existing client reference')
  }
  const facts = shop.tokens.open<OfferFacts>('prebook', textIn(body, 'prebookId'))
  if (facts === 'invalid' || facts === 'expired' || hasFault(faults, 'expired')) return prebookGone
  if (listIn(body, 'guests').length !== facts.parties.length) return missing('one guest per room is required')
  const fail = (answer: StandInAnswer) => {
    if (readSetting(shop.settings, 'burntReferences') === 1) spentReferences.add(reference)
    return answer
  }
  if (readSetting(shop.settings, 'failedPayments') === 1)
    return fail(problem(400, 5000, 'unable to process request', 'payment failed please check your payment information'))
  if (hasFault(faults, 'product_error'))
    return fail(problem(400, 2013, 'booking failed', 'provider response was unsuccessful'))
  const offer =
    hasFault(faults, 'sold_out') || hasFault(faults, 'price_change') ? undefined : findOffer(shop, facts, now)
  if (offer === undefined || !takeRooms(shop, offer, facts))
    return fail(notConfirmed('the room is no longer available'))
  const kept = raiseBill(createKept(shop, body, offer, facts, nextBookingId(shop), now), faults)
  const hiddenMs = findFault(faults, 'late_visibility')?.ms ?? 0
  for (const entry of createEntries(kept, offer, facts, now, hiddenMs)) shop.ledger.append(entry)
  if (hasFault(faults, 'refuse_after')) return problem(400, 2014, 'booking incomplete', 'booking data was not updated')
  return json(200, { data: presentFull(shop.settings, kept, now), guestLevel: 0, sandbox: true })
}

/** Stricter than the vendor's sandbox, which requires almost nothing. */
function refuseForm(body: Json): StandInAnswer | undefined {
  const holder = objectIn(body, 'holder')
  if (textIn(body, 'prebookId') === '') return missing('prebookId is required')
  if (['firstName', 'lastName', 'email', 'phone'].some((name) => textIn(holder, name) === ''))
    return missing('holder is required')
  const guests = listIn(body, 'guests').map((guest) => objectIn(guest))
  const isValid = guests.every(
    (guest, index) =>
      guest.occupancyNumber === index + 1 &&
      ['firstName', 'lastName', 'email'].every((name) => textIn(guest, name) !== ''),
  )
  if (guests.length === 0 || !isValid) return missing('guests are required')
  return METHODS.includes(textIn(objectIn(body, 'payment'), 'method'))
    ? undefined
    : badRequest('missing or not supported payment method')
}

function isUsed(
  { ledger, settings }: ShopParts,
  spentReferences: SpentReferences,
  reference: string,
  now: number,
): boolean {
  if (reference === '') return false
  const lines =
    readSetting(settings, 'lateReferences') === 1 ? ledger.visible(reference, now) : ledger.byReference(reference)
  return lines.length > 0 || spentReferences.has(reference)
}

/** Takes all rooms or none. */
function takeRooms({ allotment }: ShopParts, { property, rooms }: PricedOffer, facts: OfferFacts): boolean {
  const nights = listNights(facts)
  const counts = [...countRooms(rooms).values()]
  const firstFailure = counts.findIndex(({ room, count }) => !allotment.take(property.key, room, nights, count))
  if (firstFailure === -1) return true
  for (const { room, count } of counts.slice(0, firstFailure)) allotment.giveBack(property.key, room, nights, count)
  return false
}

function countRooms(rooms: PricedOffer['rooms']) {
  const groups = Map.groupBy(rooms, ({ rate }) => rate.room.number)
  return new Map(
    [...groups].flatMap(([number, list]) => {
      const room = list[0]?.rate.room
      return room === undefined ? [] : [[number, { room, count: list.length, list }] as const]
    }),
  )
}

/** Applies the `bill_more` fault. */
const raiseBill = (kept: Kept, faults: readonly Fault[]): Kept =>
  hasFault(faults, 'bill_more')
    ? {
        ...kept,
        rooms: kept.rooms.map((room) => ({
          ...room,
          retail: room.retail + surcharge(room.net),
          net: room.net + surcharge(room.net),
        })),
      }
    : kept

const surcharge = (net: number) => Math.max(1, Math.round(net * 0.02))

const nextBookingId = ({ ledger }: ShopParts) => `Lt${String(1_000_001 + ledger.all().length)}`

/** One line per room type. */
function createEntries(
  kept: Kept,
  { property, rooms }: PricedOffer,
  facts: OfferFacts,
  now: number,
  hiddenMs: number,
): LedgerEntry[] {
  return Array.from(countRooms(rooms), ([roomNumber, { count }]) => ({
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
        .filter((_, index) => rooms[index]?.rate.room.number === roomNumber)
        .reduce((sum, { net }) => sum + net, 0),
      currency: kept.currency,
    },
    email: textIn(kept.holder, 'email'),
    holder: `${textIn(kept.holder, 'firstName')} ${textIn(kept.holder, 'lastName')}`,
    raw: kept,
  }))
}
