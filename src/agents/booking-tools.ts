import { timingSafeEqual } from 'node:crypto'
import type { Static } from 'typebox'
import type { BookingResponse } from '../booking/schemas/bookings.ts'
import type { PriceCheckResponse } from '../booking/schemas/price-check.ts'
import type { CreatedPaymentResponse } from '../payments/schemas.ts'
import { type ApiAnswer, requestApi, ToolError, toToolError } from './api.ts'
import { checkOrder } from './check-order.ts'
import { cleanName, cleanReference, quoteTexts } from './clean-text.ts'
import { BookingInput, BookingOutput, ConfirmInput, PrepareInput, PrepareOutput, type Terms } from './schemas.ts'
import { noticeTexts, type OfferHandle, readTermsUrls, toChargedTerms } from './search-tools.ts'
import { summarizeTerms } from './summary.ts'
import { READS, type Tool, type ToolCall } from './tool.ts'

/** Mandatory notices of the vendor are quoted almost completely. */
const QUOTED = { each: 2_000, all: 10_000 }

/** Fields of terms and bookings with names from hotels and vendors. */
const NAMES = ['property.name', 'property.address', 'room.name', 'room.beds']

type Order = Omit<Static<typeof PrepareInput>, 'offer_id'>
type PriceCheck = Static<typeof PriceCheckResponse>['data']
type PaymentQuote = NonNullable<PriceCheck['payment']>
type CheckedRoom = NonNullable<PriceCheck['room']>
type BookingInfo = { readonly price_check_uri: string }

/** Stored under a prepared_id: everything that is sent on confirmation. */
type Prepared = {
  readonly offer: OfferHandle
  readonly order: Order
  readonly bookingInfo: BookingInfo
  readonly termsDigest: string
  readonly terms: Terms
  readonly summary: string
  /** Made for these terms; the person pays it in a browser. */
  readonly paymentId?: string
  readonly untrusted: readonly { readonly source: string; readonly text: string }[]
}

export const prepareBooking: Tool = {
  name: 'prepare_booking',
  title: 'Check the price and prepare a booking',
  description:
    'Checks the current price and terms of an offer for named guests. Books nothing. Returns all terms, a summary for the user and the terms_digest that confirm_booking needs.',
  scopes: ['search', 'book'],
  input: PrepareInput,
  output: PrepareOutput,
  effect: { moves: false, idempotent: true, readsOnly: false },
  async run({ offer_id: offerId, ...order }: Static<typeof PrepareInput>, call) {
    const handle = await call.handles.read<OfferHandle>(call.agent.accountId, 'off', offerId)
    if (handle === undefined) throw new ToolError('no_such_offer', 'There is no such offer_id. Use one from get_rooms.')
    if (handle.isExpired) throw new ToolError('offer_expired', 'This offer has expired. Call get_rooms again.')
    checkOrder(order, handle.content.stay.occupancies.length)
    return prepare(call, handle.content, order, handle.content.bookingInfo)
  },
}

/** Checks the price of the room and stores the order. */
async function prepare(call: ToolCall, offer: OfferHandle, order: Order, bookingInfo: BookingInfo) {
  const { agent, handles } = call
  const { data } = await requestApi<Static<typeof PriceCheckResponse>>(agent, {
    method: 'GET',
    url: bookingInfo.price_check_uri,
  })
  const { room, terms_digest: termsDigest, changes } = data
  if (room === null || termsDigest === null)
    throw new ToolError('sold_out', 'This room is sold out. Call get_rooms for others.')
  const terms = toTerms(offer, order, room)
  const untrusted = quoteTexts(noticeTexts(room), QUOTED)
  const summary = summarizeTerms(terms)
  const prepared = { offer, order, bookingInfo: room.booking_info, termsDigest, terms, summary, untrusted }
  const payment = data.payment && (await createPayment(call, room.booking_info, termsDigest, data.payment))
  const expiresAt = Date.parse(room.expires_at)
  const [preparedId = ''] = await handles.add(agent.accountId, 'prp', [
    { content: { ...prepared, ...(payment && { paymentId: payment.payment_id }) } satisfies Prepared, expiresAt },
  ])
  return {
    prepared_id: preparedId,
    terms_digest: termsDigest,
    summary,
    terms,
    // A change of notices repeats their text, which is quoted below.
    changes: changes.filter(({ what }) => what !== 'notices'),
    untrusted_fields: [...NAMES.map((name) => `terms.${name}`), 'terms.fees.label'],
    untrusted_text: untrusted,
    ...(payment && { payment }),
    expires_at: room.expires_at,
  }
}

/** Returns a link for a person, never the payment's client secret. */
async function createPayment(call: ToolCall, bookingInfo: BookingInfo, termsDigest: string, { create }: PaymentQuote) {
  if (create === null)
    throw new ToolError('payment_invalid', 'This room must be paid by card, and its price cannot be charged exactly.')
  const body = { ...bookingInfo, terms_digest: termsDigest }
  const { data } = await requestApi<Static<typeof CreatedPaymentResponse>>(call.agent, {
    method: 'POST',
    url: create,
    body,
  })
  const { payment_id, amount, currency, expires_at } = data
  return { payment_id, amount, currency, expires_at, pay_link: `${call.publicUrl}/pay/${payment_id}` }
}

function toTerms({ property, stay }: OfferHandle, order: Order, room: CheckedRoom): Terms {
  const { name, beds, board, fees, ...money } = toChargedTerms(room)
  return {
    property: { ...property },
    check_in: stay.check_in,
    check_out: stay.check_out,
    nights: stay.nights,
    occupancies: stay.occupancies.map(({ adults, children_ages }) => ({ adults, children_ages: [...children_ages] })),
    guests: order.guests.map(({ given_name, family_name }) => cleanName(`${given_name} ${family_name}`, 130)),
    room: { name, beds, board },
    ...money,
    fees: fees.map((fee) => ({ ...fee, label: cleanName(fee.label, 60) })),
    special_requests: cleanName(order.special_requests ?? '', 1_000),
    terms_urls: readTermsUrls(room),
  }
}

export const confirmBooking: Tool = {
  name: 'confirm_booking',
  title: 'Book a prepared booking',
  description:
    'Books a prepared booking. This charges money: call it only after the user has agreed to the summary. Needs the terms_digest of the agreed terms. Calling it again returns the same booking.',
  scopes: ['book'],
  input: ConfirmInput,
  output: BookingOutput,
  effect: { moves: true, idempotent: true, readsOnly: false },
  doubt:
    'It is not known whether the room was booked. Call get_booking with this prepared_id, or confirm_booking again with the same prepared_id and terms_digest: it is booked at most once. Do not prepare another booking in the meantime.',
  async run({ prepared_id: id, terms_digest: digest }: Static<typeof ConfirmInput>, call) {
    const { agent, handles } = call
    const [handle, bookingId] = await Promise.all([
      handles.read<Prepared>(agent.accountId, 'prp', id),
      call.findBookingId(agent.accountId, id),
    ])
    if (handle === undefined && bookingId === undefined)
      throw new ToolError('no_such_prepared_booking', 'There is no such prepared_id. Call prepare_booking first.')
    if (handle !== undefined && !isSame(digest, handle.content.termsDigest)) throw digestMismatch()
    if (bookingId !== undefined) return showExisting(call, id, bookingId, handle?.content)
    if (handle === undefined || handle.isExpired)
      throw new ToolError(
        'prepared_booking_expired',
        'This prepared booking has expired. Nothing was booked. Call get_rooms and prepare_booking again.',
      )
    const asked = await call.askPerson(handle.content.summary, `${id} ${digest}`)
    if (asked === 'declined')
      throw new ToolError('declined', 'The user declined. Nothing was booked. Do not ask again.')
    return book(call, id, handle.content)
  },
}

/** Without the scope `read`, repeats the request, which the API answers as before. */
const showExisting = (call: ToolCall, preparedId: string, bookingId: string, prepared: Prepared | undefined) =>
  prepared === undefined || call.agent.scopes.includes('read')
    ? showBooking(call, bookingId)
    : book(call, preparedId, prepared)

/** Compares in constant time, so that a digest cannot be guessed character by character. */
export function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Without the right digest, which would let a model confirm terms that its user has not seen. */
const digestMismatch = () =>
  new ToolError(
    'digest_mismatch',
    'The terms_digest does not belong to this prepared_id. Nothing was booked. Call prepare_booking again, show its summary to the user, and confirm with its terms_digest if they agree.',
  )

const IN_PROGRESS = { tries: 60, everyMs: 500 }

/** The prepared_id is the idempotency key, so repeated confirmations make one booking. */
async function book(call: ToolCall, preparedId: string, prepared: Prepared) {
  const { guests, contact, special_requests, client_reference } = prepared.order
  const body = {
    ...prepared.bookingInfo,
    guests,
    terms_digest: prepared.termsDigest,
    ...(contact && { contact }),
    ...(special_requests && { special_requests }),
    ...(client_reference && { client_reference }),
    ...(prepared.paymentId !== undefined && { payment_id: prepared.paymentId }),
  }
  const request = {
    method: 'POST',
    url: '/api/accommodation/book',
    body,
    idempotencyKey: preparedId,
    outlivesClient: true,
  } as const
  for (let tries = 0; ; tries += 1) {
    const answer = await call.agent.call(request)
    if (answer.status < 400) return presentBooking((answer.body as Static<typeof BookingResponse>).data)
    const { code } = Object(answer.body)
    if (code === 'request_in_progress' && tries < IN_PROGRESS.tries) await call.sleep(IN_PROGRESS.everyMs)
    else if (code === 'price_changed' || code === 'terms_changed') throw await prepareAgain(call, prepared, answer)
    else throw toToolError(answer)
  }
}

/** Prepares a booking with the vendor's new terms for the user to agree to. */
async function prepareAgain(call: ToolCall, { offer, order }: Prepared, answer: ApiAnswer): Promise<ToolError> {
  const { code, facts } = toToolError(answer)
  const news = `The ${code === 'price_changed' ? 'price has risen' : 'terms have changed'}. Nothing was booked.`
  const room: CheckedRoom | null | undefined = Object(answer.body).room
  // Requires the scope `search`, which a key for booking may lack.
  if (!room || !call.agent.scopes.includes('search'))
    return new ToolError(code, `${news} Call get_rooms and prepare_booking again.`, facts)
  const renewed = await prepare(call, offer, order, room.booking_info)
  const message = `${news} Show the new summary to the user, and confirm the new prepared_id if they agree.`
  return new ToolError(code, message, renewed)
}

export const getBooking: Tool = {
  name: 'get_booking',
  title: 'Read a booking',
  description:
    'Returns the status of a booking, by its booking_id or the confirmed prepared_id. Call it after a status of in_doubt or submitting, and do not book again in the meantime.',
  scopes: ['read'],
  input: BookingInput,
  output: BookingOutput,
  effect: READS,
  async run({ booking_id: bookingId, prepared_id: preparedId }: Static<typeof BookingInput>, call) {
    if ((bookingId === undefined) === (preparedId === undefined))
      throw new ToolError('invalid_request', 'Send either booking_id or prepared_id.')
    const id = bookingId ?? (await call.findBookingId(call.agent.accountId, preparedId ?? ''))
    if (id === undefined) throw new ToolError('booking_not_found', 'There is no booking for this prepared_id.')
    return showBooking(call, id)
  },
}

async function showBooking({ agent }: ToolCall, bookingId: string) {
  const url = `/api/accommodation/bookings/${encodeURIComponent(bookingId)}`
  return presentBooking((await requestApi<Static<typeof BookingResponse>>(agent, { method: 'GET', url })).data)
}

type Booking = Static<typeof BookingResponse>['data']

const NEXT: Readonly<Record<Booking['status'], string>> = {
  pending: 'The booking is being sent. Call get_booking in 10 seconds; do not book again.',
  submitting: 'The vendor has not answered yet. Call get_booking in 30 seconds; do not book again.',
  in_doubt: 'The outcome is unknown, and we are asking the vendor. Call get_booking in 30 seconds; do not book again.',
  needs_review: 'Our staff are checking it with the vendor. Inform the user; do not book again.',
  confirmed: 'The booking is confirmed. Give the user the reference.',
  rejected: 'Nothing was booked or charged. Call get_rooms for alternatives.',
  cancelling: 'The booking is being cancelled. Call get_booking in 30 seconds.',
  cancelled: 'The booking is cancelled.',
}

export const nextStep = (status: Booking['status']): string => NEXT[status]

const toReference = (reference: string | null) => (reference === null ? null : cleanReference(reference))

const toNumbers = ({ vendor, property }: Booking['confirmation']['rooms'][number]) => ({
  vendor: toReference(vendor),
  property: toReference(property),
})

/** Omits e-mail and phone of guests, which a model does not need. */
function presentBooking(booking: Booking): Static<typeof BookingOutput> {
  const { property, room } = booking
  return {
    booking_id: booking.booking_id,
    status: booking.status,
    next: nextStep(booking.status),
    reference: booking.reference,
    vendor_reference: toReference(booking.vendor_reference),
    confirmation: { ...toNumbers(booking.confirmation), rooms: booking.confirmation.rooms.slice(0, 8).map(toNumbers) },
    client_reference: booking.client_reference,
    property: {
      property_id: property.property_id,
      name: cleanName(property.name),
      address: cleanName(property.address, 160),
    },
    room: {
      name: cleanName(room.room_type_name),
      beds: room.beds.slice(0, 8).map((bed) => cleanName(bed, 40)),
      board: room.board,
    },
    rooms: booking.rooms,
    check_in: booking.check_in,
    check_out: booking.check_out,
    nights: booking.nights,
    occupancies: booking.occupancies,
    guests: booking.guests.map(({ given_name, family_name }) => cleanName(`${given_name} ${family_name}`, 130)),
    total_price: booking.total_price,
    due_at_property: booking.due_at_property,
    currency: booking.currency,
    cancel_policy: booking.cancel_policy,
    cancellation: booking.cancellation,
    discrepancies: booking.discrepancies.filter(({ until }) => until === null).map(({ code }) => code),
    created_at: booking.created_at,
    updated_at: booking.updated_at,
    simulated: booking.simulated,
    untrusted_fields: [...NAMES, 'vendor_reference', 'confirmation'],
  }
}
