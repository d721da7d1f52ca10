import type { Recorder } from './recorder.ts'

const MOMENTS = {
  capture_before: null,
  expires_at: '2027-01-15T12:20:00.000Z',
  created_at: '2027-01-15T12:00:00.000Z',
  updated_at: '2027-01-15T12:00:00.000Z',
}
const PAYMENT = {
  ...{
    payment_id: 'pay_0h3m6q8r1t5vz',
    provider: 'stripe',
    status: 'requires_payment',
    amount: 229.9,
    currency: 'EUR',
  },
  ...{ authorised: 0, captured: 0, refunded: 0, refund_pending: 0, booking_id: null, card: null, failure: null },
  ...{ ...MOMENTS, simulated: false },
}
const NEXT = {
  kind: 'confirm_in_browser',
  publishable_key: 'pk_live_…',
  client_secret: 'pi_3PqX…_secret_…',
}
const AUTHORISED = {
  ...PAYMENT,
  ...{ status: 'authorised', authorised: 229.9, card: { brand: 'visa', last4: '4242' } },
  ...{ capture_before: '2027-01-22T12:00:40.000Z', updated_at: '2027-01-15T12:00:41.000Z', next: null },
}
const DIGEST = 'trm1_3f0c9b1d7a5e2468ace013579bdf02468ace1357'
const RECORDS = {
  ...AUTHORISED,
  ...{ status: 'captured', captured: 229.9, booking_id: 'bkg_31', booking_status: 'confirmed' },
  ...{ state: 'captured', reason: null, account_id: 'acc_1', owed: 229.9, disputed: 0 },
  ...{ provider_reference: 'pi_3PqX…', livemode: true },
  operations: [
    {
      ...{ number: 1, kind: 'create', amount: 229.9, key: 'pay_0h3m6q8r1t5vz:create' },
      ...{ sent_at: '2027-01-15T12:00:00.100Z', state: 'done', reason: null },
    },
    {
      ...{ number: 2, kind: 'capture', amount: 229.9, key: 'pay_0h3m6q8r1t5vz:capture' },
      ...{ sent_at: '2027-01-15T12:01:02.000Z', state: 'done', reason: null },
    },
  ],
  entries: [
    { kind: 'authorised', amount: 229.9, at: '2027-01-15T12:00:41.000Z' },
    { kind: 'captured', amount: 229.9, at: '2027-01-15T12:01:02.400Z' },
  ],
}

const RECEIPT = {
  ...{ payment_id: PAYMENT.payment_id, booking_id: 'bkg_31', reference: 'NY4TRSM6254C626WV0XG', guest: 'Ana Costa' },
  property: { name: 'Hotel Avenida', address: 'Avenida da Liberdade 12, 1250-096 Lisbon' },
  ...{ room: 'Double Room', check_in: '2027-03-12', check_out: '2027-03-14', nights: 2 },
  ...{ total_price: 241.9, due_at_property: 12, total_currency: 'EUR' },
  ...{ charged: 229.9, charged_at: '2027-01-15T12:01:02.400Z', refunded: 0, refund_pending: 0, currency: 'EUR' },
  ...{ card: AUTHORISED.card, simulated: false },
}

/** Written by hand: simulated bookings take no payment. */
export function recordPayments({ put, operations }: Recorder): void {
  const { bookingInfo, room } = readRoom(operations)
  const created = { ...PAYMENT, next: NEXT, room, terms_digest: DIGEST }
  put('paymentsCreate', 201, { data: created }, { ...bookingInfo, terms_digest: DIGEST })
  const { room: _room, ...repeated } = created
  put('paymentsCreate', 200, { data: repeated })
  put('paymentsShow', 200, { data: AUTHORISED })
  put('paymentsRelease', 200, { data: { ...AUTHORISED, status: 'voiding' } })
  put('paymentsNotify', 200, { data: { known: true } })
  put('bookingReceipt', 200, { data: RECEIPT })
  const { next: _none, ...records } = RECORDS
  put('operatorPaymentsShow', 200, { data: records })
  put('operatorPaymentsLook', 200, { data: records })
  put('operatorPaymentsRefund', 200, { data: { ...records, status: 'refunding' } }, { amount: 50, reason: 'noise' })
  put('operatorPaymentsResolve', 200, { data: records }, { to: 'captured', reason: 'refunded by bank transfer' })
}

/** An empty list in the simulation, filled with the payment above. */
export async function recordPaymentLists({ keep, operations }: Recorder): Promise<void> {
  const { booking_status: _status, operations: _operations, entries: _entries, next: _next, ...listed } = RECORDS
  const url = '/api/operator/payments'
  await keep('operatorPayments', 422, { url: `${url}?limit=0` })
  const { meta } = await keep('operatorPayments', 200, { url })
  const recorded = operations.operatorPayments
  if (recorded !== undefined) recorded.answers[200] = { data: [listed], meta: { ...meta, total_count: 1 } }
}

/** The room of the recorded price check. */
function readRoom(operations: Recorder['operations']) {
  const { data } = Object(operations.bookingCheckPrice?.answers['200'])
  return { room: data.room, bookingInfo: data.room.booking_info }
}

/** Events of payments, from the recorded confirmation of a booking. */
export function paymentEvents(confirmed: unknown): Record<string, unknown> {
  const { data, ...message } = Object(confirmed)
  const event = (type: string, figures: object) => [
    type,
    {
      ...message,
      type,
      data: {
        ...{ ...data, sequence: 4, actor: { kind: 'system', id: 'payments' } },
        ...{ payment_id: PAYMENT.payment_id, captured: 229.9, refunded: 0, ...figures },
      },
    },
  ]
  return Object.fromEntries([
    event('booking.payment_captured', {}),
    event('booking.payment_refunded', { refunded: 50 }),
    event('booking.payment_failed', { captured: 0 }),
    event('booking.payment_needs_review', { captured: 0 }),
    event('booking.payment_disputed', {}),
  ])
}
