import type { Recorder } from './recorder.ts'

const VENDORS = '/api/operator/vendors'
const REQUESTS = '/api/operator/requests'

/** Records the figures of vendors and requests, with the token of an operator. */
export async function recordMonitoring({ keep, put }: Recorder, write: () => Promise<void>): Promise<void> {
  const { meta } = Object(await keep('operatorVendors', 422, { url: `${VENDORS}?limit=0` }))
  // No vendor is connected while examples are recorded, so these are written by hand.
  const paging = { current_offset: 0, page_size: 50 }
  const counted = { ...meta, ...paging, errors: [], params: {}, total_count: 1, total_pages: 1, current_page: 1 }
  put('operatorVendors', 200, { data: [OVERVIEW], meta: counted })
  put('operatorVendor', 200, { data: DETAIL })
  put('operatorExchangeRates', 200, { data: RATES })
  put('operatorExchangeRatesRenew', 200, { data: RATES })
  const reason = { reason: 'Compared with another source.' }
  put('operatorExchangeRatesConfirm', 200, { data: RATES }, reason)
  await keep('operatorAudit', 200, { url: '/api/operator/audit?limit=1', headers: { 'x-request-id': 'req_7d3k2m9q' } })
  await write()
  const ours = `filters[]=${encodeURIComponent('request_id:==<req_7d3k2m9q')}`
  await keep('operatorRequests', 200, { url: `${REQUESTS}?${ours}&limit=1` })
  await keep('operatorRequests', 422, { url: `${REQUESTS}?limit=0` })
  await keep('operatorRequest', 200, { url: `${REQUESTS}/req_7d3k2m9q` })
}

const calls = (count: number, failures: number) => ({
  calls: count,
  failures,
  p50_ms: 640,
  p95_ms: 1870,
  errors: failures === 0 ? [] : [{ kind: 'timeout', calls: failures }],
})
const windows = { last_hour: calls(412, 3), last_day: calls(9120, 41), last_week: calls(60233, 310) }
const span = (began_at: string) => ({ began_at, calls: 36, failures: 0, p95_ms: 1790 })
const looks = { searches: 5210, bookings: 41, ratio: 127.1 }

const OVERVIEW = {
  vendor_id: 'expedia_rapid',
  environment: 'live',
  ...windows,
  recent: [span('2027-01-15T11:50:00.000Z'), span('2027-01-15T11:55:00.000Z')],
  breaker: 'closed',
  processes: 4,
  quota: {
    readings_per_minute: 20,
    readings_free: 4,
    content_requests_today: 310,
    content_requests_per_day: null,
    held_until: null,
    calls: [{ kind: 'search', window_seconds: 60, allowed: 1_000_000, used: 84_000 }],
  },
  content: {
    properties: 712043,
    dropped: 1204,
    without_rooms: 0,
    full_at: '2027-01-02T02:00:00.000Z',
    fresh_at: '2027-01-15T02:00:00.000Z',
    next_at: '2027-01-16T02:00:00.000Z',
    late_since: null,
    failure: null,
  },
  look_to_book: looks,
  failing_operations: [{ operation: 'find', period: 'hour', calls: 14, failures: 13 }],
}

const DETAIL = {
  ...OVERVIEW,
  operations: [{ operation: 'availability', ...windows }],
  hours: [span('2027-01-15T10:00:00.000Z'), span('2027-01-15T11:00:00.000Z')],
  breakers: [
    {
      process: 'node-1 4711',
      class: 'search',
      state: 'closed',
      since: '2027-01-15T06:12:30.000Z',
      calls_under_way: 7,
      calls_at_once: 96,
      seen_at: '2027-01-15T11:59:50.000Z',
    },
  ],
  accounts: [{ account_id: 'acc_3f1c09e2b7d84a56c1e0', ...looks }],
}

const RATES = {
  source: 'www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
  date: '2027-01-14',
  age_seconds: 43_200,
  is_fallback: false,
  read_at: '2027-01-15T11:20:00.000Z',
  next_at: '2027-01-15T12:20:00.000Z',
  failure: null,
  rates: { EUR: 1, JPY: 184.2, USD: 1.1412 },
  from_file: ['AED'],
  file_date: '2026-09-29',
  pending: {
    date: '2027-01-15',
    read_at: '2027-01-15T11:20:00.000Z',
    jumps: [{ currency: 'TRY', before: 51.3, after: 66.9 }],
  },
}
