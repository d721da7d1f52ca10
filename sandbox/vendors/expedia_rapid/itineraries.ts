import { randomInt, randomUUID } from 'node:crypto'
import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import { findFault, hasFault } from '../../server/fault-plan.ts'
import type { Fault } from '../../server/faults.ts'
import { type Ledger, type LedgerEntry, releaseRooms } from '../../server/ledger.ts'
import { objectIn } from '../../server/read-json.ts'
import { listNights } from '../../server/stay-dates.ts'
import { type OfferToken, resolveOffer, type ShopDeps } from './answer-shop.ts'
import { type BookRequest, bookErrors, isEmail, readBookRequest } from './book-order.ts'
import { amendRoom } from './change-booking.ts'
import { type CancelToken, type KeptBooking, readKept } from './kept-booking.ts'
import { presentItinerary } from './present-itinerary.ts'
import { presentPricing } from './price-rates.ts'
import { readProfile } from './shop-query.ts'
import {
  afterCheckout,
  alreadyCancelled,
  declined,
  internalError,
  invalidInput,
  json,
  linkInvalid,
  nested,
  notFound,
  priceMismatch,
  serviceUnavailable,
  soldOut,
} from './vendor-words.ts'

export type ItineraryDeps = ShopDeps & { readonly ledger: Ledger }

/** Price factor of the `bill_more` fault. */
const BILL_MORE_FACTOR = 1.02
const LINK_TTL_MS = 400 * 24 * 60 * 60_000
const FORCED_ERRORS: Readonly<Record<string, StandInAnswer | undefined>> = {
  service_unavailable: serviceUnavailable,
  internal_server_error: internalError,
  unknown_internal_error: internalError,
}

export function answerBook(
  deps: ItineraryDeps,
  query: URLSearchParams,
  body: unknown,
  test: string,
  faults: readonly Fault[],
): StandInAnswer {
  const forced = FORCED_ERRORS[test]
  if (forced !== undefined) return forced
  if (test === 'price_mismatch' || hasFault(faults, 'price_change')) return priceMismatch
  if (test === 'rooms_unavailable' || hasFault(faults, 'sold_out')) return soldOut
  if (test === 'cc_declined') return declined
  const offer = deps.tokens.open<OfferToken>('book', query.get('token'))
  if (offer === 'invalid') return linkInvalid
  // Rapid answers an expired book link with a 503.
  if (offer === 'expired' || hasFault(faults, 'expired')) return serviceUnavailable
  const errors = bookErrors(body, offer)
  if (errors.length > 0) return invalidInput(errors)
  const request = readBookRequest(body)
  if (request.reference !== '' && deps.ledger.byReference(request.reference).length > 0)
    return duplicate(request.reference)
  const billed = hasFault(faults, 'bill_more') ? { ...offer, raise: offer.raise * BILL_MORE_FACTOR } : offer
  const entry = recordBooking(deps, billed, request, { test, lagMs: findFault(faults, 'late_visibility')?.ms ?? 0 })
  return entry === undefined || hasFault(faults, 'refuse_after') ? soldOut : presentCreated(deps, entry)
}

const duplicate = (reference: string): StandInAnswer => {
  const message = 'An itinerary already exists with this affiliate reference id.'
  return invalidInput([nested('duplicate_itinerary', message, 'affiliate_reference_id', 'body', reference)])
}

/** Takes the rooms and records the booking; returns undefined if they are sold out. */
function recordBooking(
  deps: ItineraryDeps,
  offer: OfferToken,
  request: BookRequest,
  { test, lagMs }: { test: string; lagMs: number },
): LedgerEntry | undefined {
  const open = resolveOffer(deps, offer, offer.pricedOn)
  if (open?.rate === undefined) return undefined
  const { property, view, rate } = open
  const nights = listNights(offer)
  const count = offer.occupancies.length
  if (!deps.allotment.take(property.key, rate.room, nights, count)) return undefined
  const now = deps.clock.now()
  const kept: KeptBooking = {
    offer,
    request,
    roomKeys: offer.occupancies.map(() => randomUUID()),
    cancelled: [],
    isTest: test !== '',
    isChallenged: test === 'complete_payment_session',
  }
  const totals = offer.occupancies.map((party) => {
    const each = rate.byOccupancy.get(party)
    const pricing = each && presentPricing(each, view.priceFactor * offer.raise, offer.currency, offer.worse === 'fees')
    return pricing?.totals.property_inclusive.request_currency?.value ?? '0'
  })
  const entry: LedgerEntry = {
    vendorReference: `8${randomInt(1e11, 1e12)}`,
    ourReference: request.reference,
    status: 'confirmed',
    createdAt: now,
    visibleFrom: now + lagMs,
    propertyKey: property.key,
    roomNumber: rate.room.number,
    nights,
    count,
    total: sumDecimals(totals, offer.currency),
    email: request.email,
    holder: request.rooms.map((room) => `${room.given_name} ${room.family_name}`).join(', '),
    raw: kept,
  }
  deps.ledger.append(entry)
  return entry
}

function presentCreated(deps: ItineraryDeps, entry: LedgerEntry): StandInAnswer {
  const { vendorReference: id } = entry
  const { token } = deps.tokens.seal('retrieve', { id }, LINK_TTL_MS)
  const link = readKept(entry).isChallenged
    ? { complete_payment_session: { method: 'PUT', href: `/v3/itineraries/${id}/payment-sessions?token=${token}` } }
    : { retrieve: { method: 'GET', href: `/v3/itineraries/${id}?token=${token}` } }
  return json(201, { itinerary_id: id, links: link })
}

/** Finds bookings by reference and email; the list is empty if there is none or it is not visible yet. */
export function answerFind(
  deps: ItineraryDeps,
  query: URLSearchParams,
  test: string,
  faults: readonly Fault[],
): StandInAnswer {
  const forced = FORCED_ERRORS[test]
  if (forced !== undefined) return forced
  const [reference, email] = [query.get('affiliate_reference_id') ?? '', query.get('email') ?? '']
  if (reference === '') {
    const name = 'affiliate_reference_id'
    return invalidInput([nested(`${name}.required`, 'Affiliate reference id is required.', name, 'querystring')])
  }
  if (!isEmail(email)) {
    return invalidInput([nested('email.invalid', 'Customer email address is invalid.', 'email', 'querystring', email)])
  }
  const entry = findVisible(deps, reference, test)
  const found =
    entry !== undefined && !hasFault(faults, 'missing') && entry.ourReference === reference && isOwner(entry, query)
  return present(deps, found ? [entry] : [], test, true)
}

export function answerRetrieve(
  deps: ItineraryDeps,
  id: string,
  query: URLSearchParams,
  test: string,
  faults: readonly Fault[],
): StandInAnswer {
  const forced = FORCED_ERRORS[test]
  if (forced !== undefined) return forced
  const entry = hasFault(faults, 'missing') ? undefined : findVisible(deps, id, test)
  if (query.has('token')) {
    const token = deps.tokens.open<{ id: string }>('retrieve', query.get('token'))
    if (token === 'invalid' || token === 'expired') return linkInvalid
    return entry === undefined || token.id !== id ? notFound : present(deps, [entry], test, false)
  }
  const found = entry?.vendorReference === id && isOwner(entry, query)
  return found ? present(deps, [entry], test, false) : notFound
}

/** A booking is visible to callers that know its email and use the profile it was shopped with. */
function isOwner(entry: LedgerEntry, query: URLSearchParams): boolean {
  const requested = readProfile(query)
  const { profile = requested } = readKept(entry).offer
  return profile === requested && entry.email.toLowerCase() === (query.get('email') ?? '').toLowerCase()
}

function findVisible(deps: ItineraryDeps, reference: string, test: string): LedgerEntry | undefined {
  const entry = deps.ledger.visible(reference, deps.clock.now()).at(-1)
  return entry !== undefined && readKept(entry).isTest === (test !== '') ? entry : undefined
}

function present(deps: ItineraryDeps, entries: readonly LedgerEntry[], test: string, asList: boolean): StandInAnswer {
  const isDegraded = test === 'degraded_response'
  const itineraries = entries.flatMap((entry) => presentItinerary(deps, entry, isDegraded) ?? [])
  return json(isDegraded ? 206 : 200, asList ? itineraries : itineraries[0])
}

/** Cancels one room. The token identifies it; the ids in the path are ignored. */
export function answerCancel(deps: ItineraryDeps, query: URLSearchParams, test: string): StandInAnswer {
  const forced = FORCED_ERRORS[test]
  if (forced !== undefined) return forced
  if (test === 'post_stay_cancel') return afterCheckout
  const token = deps.tokens.open<CancelToken>('cancel', query.get('token'))
  if (token === 'invalid' || token === 'expired') return linkInvalid
  const entry = findVisible(deps, token.id, test)
  if (entry === undefined) return notFound
  const kept = readKept(entry)
  if (kept.cancelled.includes(token.room)) return alreadyCancelled
  if (Date.parse(`${kept.offer.checkOut}T23:59:59Z`) < deps.clock.now()) return afterCheckout
  const { acceptedCancels } = deps.settings
  if (acceptedCancels === 2) return { status: 202, body: '' }
  releaseRooms(deps, entry, 1)
  const cancelled = [...kept.cancelled, token.room]
  const isLast = cancelled.length === kept.roomKeys.length
  deps.ledger.append({
    ...entry,
    status: isLast ? 'cancelled' : 'confirmed',
    count: isLast ? entry.count : entry.count - 1,
    raw: { ...kept, cancelled } satisfies KeptBooking,
  })
  return { status: acceptedCancels === 1 ? 202 : 204, body: '' }
}

/** Changes the name or request of one room, which the token identifies. */
export function answerChange(deps: ItineraryDeps, query: URLSearchParams, body: unknown, test: string): StandInAnswer {
  const forced = FORCED_ERRORS[test]
  if (forced !== undefined) return forced
  const token = deps.tokens.open<CancelToken>('change', query.get('token'))
  if (token === 'invalid' || token === 'expired') return linkInvalid
  const entry = findVisible(deps, token.id, test)
  if (entry === undefined) return notFound
  const given = objectIn(body)
  const { given_name, family_name, special_request } = given
  if (typeof given_name !== 'string' || typeof family_name !== 'string') {
    return invalidInput([nested('given_name.required', 'Names are required.', 'given_name', 'body')])
  }
  const request = typeof special_request === 'string' ? { special_request } : {}
  deps.ledger.append(amendRoom(entry, token.room, { given_name, family_name, ...request }))
  return { status: 204, body: '' }
}

/** Adds decimal strings of one currency in minor units. */
function sumDecimals(values: readonly string[], currency: string): LedgerEntry['total'] {
  const digits = values[0]?.split('.')[1]?.length ?? 0
  return { minor: values.reduce((sum, value) => sum + Math.round(Number(value) * 10 ** digits), 0), currency }
}
