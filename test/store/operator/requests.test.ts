import { expect, test } from 'vitest'
import type { NotedRequest } from '../../../src/domain/noted-request.ts'
import { randomIds } from '../../../src/lib/crypto/ids.ts'
import { parseListQuery } from '../../../src/lists/parse-list-query.ts'
import { createRequestLog, REQUEST_LIST } from '../../../src/operator/request-log.ts'
import { createRequestStore } from '../../../src/operator/store/requests.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'

const DAY = 24 * 3_600_000

const aRequest = (more: Partial<NotedRequest> = {}): NotedRequest => ({
  requestId: 'req_1',
  operation: 'search.create',
  method: 'GET',
  path: '/api/accommodation_searches/search',
  status: 200,
  code: undefined,
  ms: 12.4,
  accountId: 'acc_1',
  keyId: undefined,
  simulated: false,
  searchId: undefined,
  bookingId: undefined,
  ...more,
})

onBothDatabases('requests', (open) => {
  const aLog = (clock = manualClock()) =>
    createRequestLog({ store: createRequestStore(open()), clock, ids: randomIds, onDropped: () => undefined })

  async function listed(query: Record<string, unknown>): Promise<string[]> {
    const parsed = parseListQuery(REQUEST_LIST, query, {
      scope: 'test',
      cursors: { seal: () => '', open: () => undefined },
    })
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
    return (await aLog().list(parsed.plan, async () => undefined)).data.map(({ request_id }) => request_id)
  }

  test('every field of a logged request is read back unchanged, with any text', async () => {
    const clock = manualClock()
    const log = aLog(clock)
    const odd = `/api/a"b'c\\d\u2028e${String.fromCodePoint(0x1f3e8)};--`
    log.note(
      aRequest({
        requestId: 'req_odd',
        path: odd,
        status: 409,
        code: 'sold_out',
        keyId: 'key_1',
        simulated: true,
        searchId: 's-1',
        bookingId: 'bkg_1',
      }),
    )
    await log.write()
    const [row, ...more] = await log.byRequestId('req_odd')
    expect(more).toEqual([])
    expect(row).toEqual({
      id: expect.stringMatching(/^rq_/),
      request_id: 'req_odd',
      at: clock.now(),
      operation: 'search.create',
      method: 'GET',
      path: odd,
      status: 409,
      code: 'sold_out',
      took_ms: 12,
      account_id: 'acc_1',
      key_id: 'key_1',
      simulated: 1,
      search_id: 's-1',
      booking_id: 'bkg_1',
      expires_at: clock.now() + 30 * DAY,
    })
  })

  test('several processes log concurrently, and a reused request id finds all its requests', async () => {
    const logs = [aLog(), aLog(), aLog()]
    for (const log of logs) for (let i = 0; i < 300; i += 1) log.note(aRequest({ requestId: `req_many${i}` }))
    await Promise.all(logs.map((log) => log.write()))
    expect(await aLog().byRequestId('req_many7')).toHaveLength(3)
    const same = aLog()
    for (let i = 0; i < 150; i += 1) same.note(aRequest({ requestId: 'req_same' }))
    await same.write()
    expect(await same.byRequestId('req_same')).toHaveLength(100)
  })

  test('logged requests are filtered and ordered by the list rules', async () => {
    const clock = manualClock(Date.parse('2027-02-01T00:00:00Z'))
    const log = aLog(clock)
    for (const [requestId, status, code] of [
      ['a', 200],
      ['b', 422, 'invalid_request'],
      ['c', 500, 'internal'],
    ] as const) {
      log.note(
        aRequest({ requestId: `req_l${requestId}`, status, code, accountId: 'acc_list', simulated: requestId === 'b' }),
      )
      clock.advance(1_000)
    }
    await log.write()
    const ofAccount = { 0: { field: 'account_id', op: '==', value: 'acc_list' } }
    expect(await listed({ filters: ofAccount })).toEqual(['req_lc', 'req_lb', 'req_la'])
    const failed = { ...ofAccount, 1: { field: 'status', op: '>=', value: '400' } }
    expect(await listed({ filters: failed, order_by: ['status'] })).toEqual(['req_lb', 'req_lc'])
    const coded = { ...ofAccount, 1: { field: 'code', op: '==', value: 'internal' } }
    expect(await listed({ filters: coded })).toEqual(['req_lc'])
    const early = { ...ofAccount, 1: { field: 'at', op: '<', value: '2027-02-01T00:00:00.500Z' } }
    expect(await listed({ filters: early })).toEqual(['req_la'])
    const simulated = { ...ofAccount, 1: { field: 'simulated', op: '==', value: 'true' } }
    expect(await listed({ filters: simulated })).toEqual(['req_lb'])
  })

  test('logged requests are kept for 7 days, bookings and errors of known callers for 30', async () => {
    const clock = manualClock(Date.parse('2028-01-01T00:00:00Z'))
    const log = aLog(clock)
    const notes: Record<string, Partial<NotedRequest>> = {
      plain: {},
      error: { status: 404 },
      bug: { status: 500, accountId: undefined },
      booking: { operation: 'booking.show' },
      booked: { bookingId: 'bkg_2' },
      unknown: { status: 401, accountId: undefined },
    }
    for (const [name, more] of Object.entries(notes)) log.note(aRequest({ requestId: `req_k_${name}`, ...more }))
    await log.write()
    const left = async () => {
      while ((await log.deleteExpired()) > 0);
      const found = await Promise.all(
        Object.keys(notes).map(async (name) => ((await log.byRequestId(`req_k_${name}`)).length > 0 ? [name] : [])),
      )
      return found.flat()
    }
    clock.advance(7 * DAY - 1_000)
    expect(await left()).toHaveLength(6)
    clock.advance(2_000)
    expect(await left()).toEqual(['error', 'bug', 'booking', 'booked'])
    clock.advance(23 * DAY)
    expect(await left()).toEqual([])
  })
})
