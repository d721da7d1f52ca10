import type { Recorder } from './recorder.ts'

const BOOKINGS = '/api/operator/bookings'
const ATTENTION = '/api/operator/attention'
const REASON = { reason: 'agreed with the vendor by phone' }

/** Records booking operations of an operator, on bookings of their own. */
export async function recordOperator({ keep, keepProblem, put, authorize }: Recorder, token: string): Promise<void> {
  authorize(token)
  const url = '/api/accommodation/book'
  const book = async (simulate: string) =>
    (await keep('bookingCreate', 201, { method: 'POST', url, payload: { bed_id: simulate }, simulate })).data.booking_id
  const [sound, swapped] = [await book('success'), await book('other_hotel')]
  await keep('testClock', 200, { method: 'POST', url: '/api/test/clock', payload: { advance_hours: 1 } })

  await keep('operatorBookings', 200, { url: `${BOOKINGS}?q=${sound}&limit=1` })
  await keep('operatorBookings', 422, { url: `${BOOKINGS}?limit=0` })
  await keep('operatorBookingsShow', 200, { url: `${BOOKINGS}/${sound}` })
  await keep('operatorBookingsVoucher', 200, { url: `${BOOKINGS}/${sound}/voucher` })
  await keep('operatorBookingsRead', 200, { method: 'POST', url: `${BOOKINGS}/${sound}/read` })
  const end = { status: 'confirmed', ...REASON }
  await keep('operatorBookingsResolve', 200, { method: 'POST', url: `${BOOKINGS}/${swapped}/resolve`, payload: end })
  await keepProblem('not_possible', { method: 'POST', url: `${BOOKINGS}/${sound}/resolve`, payload: end })
  put('operatorBookingsRevokeLinks', 204, null, REASON)
  put('operatorBookingsMail', 202, { data: { queued: 1 } }, {})
  const cancel = { method: 'POST', url: `${BOOKINGS}/${sound}/cancel`, payload: REASON } as const
  const cancelled = await keep('operatorBookingsCancel', 200, cancel)
  put('operatorBookingsCancel', 202, { data: { ...cancelled.data, status: 'cancelling' } })

  // Simulated bookings never need attention, so this entry is written by hand.
  const { meta } = await keep('operatorAttention', 422, { url: `${ATTENTION}?limit=0` })
  put('operatorAttention', 200, { data: [ENTRY], meta: { ...meta, ...ONE_PAGE } })
  put('operatorAttentionDone', 200, { data: ENTRY }, REASON)
  // Of a database that was restored; the recorder's own has lost nothing.
  put('operatorReconciliation', 200, { data: RECONCILIATION }, { from: '2027-01-13' })
  put('operatorReconciliationCarryOut', 200, { data: RECONCILIATION.differences[0] }, ADOPTION)
  await keep('operatorTasks', 200, { url: '/api/operator/tasks' })
  put('operatorWebhooksReplay', 202, { data: { queued: 12 } })
  put('operatorWebhooksReplayDelivery', 202, { data: DELIVERY })
}

const ONE_PAGE = {
  current_offset: 0,
  current_page: 1,
  page_size: 50,
  params: {},
  errors: [],
  total_count: 1,
  total_pages: 1,
}

const ENTRY = {
  id: 'needs_review.bkg_31',
  kind: 'needs_review',
  since: '2027-01-15T11:20:00.000Z',
  title: 'Needs review: Hotel Elsewhere, 2027-03-12 to 2027-03-14',
  what_happened: 'The vendor does not know the booking.',
  what_to_do:
    'Ask expedia_rapid (our reference 9E1B7A2C4D5F60718293), then record the outcome. If the vendor has corrected it, reading the booking again is enough.',
  action: 'resolve',
  booking_id: 'bkg_31',
  vendor_id: 'expedia_rapid',
  account_id: 'acc_1',
  webhook_id: null,
  mail_sequence: null,
}

const RECONCILIATION = {
  from: '2027-01-13',
  is_behind: true,
  needed_from: '2027-01-13',
  repeats_end_at: '2027-01-16T09:30:00.000Z',
  vendors: [
    { vendor_id: 'expedia_rapid', status: 'no_list', listed: 14 },
    { vendor_id: 'hotelbeds', status: 'listed', listed: 9 },
  ],
  differences: [
    {
      vendor_id: 'hotelbeds',
      reference: '9E1B7A2C4D5F60718293',
      vendor_reference: '102-8891123',
      proposal: 'adopt',
      booking_id: null,
      our_status: null,
      vendor_status: 'confirmed',
      property_name: 'Hotel Elsewhere',
      check_in: '2027-03-12',
      check_out: '2027-03-14',
    },
  ],
}
const ADOPTION = {
  ...{ from: '2027-01-13', vendor_id: 'hotelbeds', reference: '9E1B7A2C4D5F60718293', action: 'adopt' },
  ...{ account_id: 'acc_1', reason: 'The database was restored.' },
}

const DELIVERY = {
  id: 'evt_tst_31_1',
  webhook_id: 'whk_1',
  booking_id: null,
  sequence: 1,
  status: 'pending',
  created_at: '2027-01-14T12:00:00.000Z',
  next_attempt_at: '2027-01-15T12:00:00.000Z',
  attempts: [{ attempt: 1, at: '2027-01-14T12:00:00.000Z', took_ms: 31, status: 503, error: null, answer: '' }],
  body: { type: 'webhook.test', timestamp: '2027-01-14T12:00:00.000Z', data: { webhook_id: 'whk_1' } },
}
