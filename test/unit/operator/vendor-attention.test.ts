import { expect, test } from 'vitest'
import { vendorSources } from '../../../src/operator/attention/vendor-attention.ts'
import { describeVendor, type VendorOverview } from '../../../src/operator/vendors/describe-vendor.ts'
import { createRefusedConditions } from '../../../src/search/refused-conditions.ts'
import { manualClock } from '../../support/time/clock.ts'

const NOW = Date.parse('2027-01-15T12:00:00Z')

type Calls = NonNullable<Parameters<typeof describeVendor>[0]['slots']>

const createOverview = (
  more: Partial<VendorOverview['content']> = {},
  states: readonly ('open' | 'closed')[] = [],
  calls: Calls = [],
) =>
  describeVendor(
    {
      now: NOW,
      slotsFrom: 0,
      hoursFrom: 0,
      slots: calls,
      hours: calls,
      week: calls,
      breakers: states.map((state, index) => ({
        process: `node ${index}`,
        vendor_id: 'v',
        call_class: 'search',
        state,
        since: NOW - index * 1_000,
        under_way: 0,
        held_until: null,
        seen_at: NOW,
      })),
      searches: [],
      booked: [],
      turns: [],
      content: [
        {
          vendorId: 'v',
          properties: 1,
          dropped: 0,
          withoutRooms: 0,
          fullAt: NOW,
          freshAt: NOW,
          feed: undefined,
          requestsToday: 0,
          requestsPerDay: undefined,
          failure: undefined,
          nextAt: NOW,
          lateSince: undefined,
          ...more,
        },
      ],
    },
    { id: 'v', environment: 'live', limitFor: () => 1 },
    20,
  )

async function entries(vendor: VendorOverview) {
  const found = vendorSources({ overviews: async () => [vendor] }, { recent: () => [] }).map((source) =>
    source(NOW, 10),
  )
  return (await Promise.all(found)).flat()
}

test('a vendor that responds and has fresh content needs no attention', async () => {
  expect(await entries(createOverview({}, ['closed', 'closed']))).toEqual([])
})

test('a vendor is listed once, however many processes have an open breaker, since the first one', async () => {
  expect(await entries(createOverview({}, ['open', 'closed', 'open']))).toMatchObject([
    { id: 'breaker_open.v', kind: 'breaker_open', since: NOW - 2_000, vendorId: 'v', action: 'open_vendor' },
  ])
})

test('late content states since when, when it was last read, and why the last attempt failed', async () => {
  const [entry, ...more] = await entries(createOverview({ lateSince: NOW - 5_000, failure: 'v: no answer in time' }))
  expect(more).toEqual([])
  expect(entry).toMatchObject({ kind: 'content_late', since: NOW - 5_000, vendorId: 'v' })
  expect(entry?.whatHappened).toBe(
    'It was last read at 2027-01-15 12:00 UTC. The last attempt failed: v: no answer in time.',
  )
})

test('a vendor that rejected a condition is listed for a day, since the first rejection', async () => {
  const clock = manualClock()
  const refused = createRefusedConditions(clock, { warn: () => undefined })
  const since = clock.now()
  refused.record(new Error('refused'), 'v')
  clock.advance(3_600_000)
  refused.record(new Error('refused'), 'v')
  const list = async () =>
    (await Promise.all(vendorSources({ overviews: async () => [] }, refused).map((source) => source(NOW, 10)))).flat()
  expect(await list()).toMatchObject([{ id: 'condition_refused.v', kind: 'condition_refused', since, vendorId: 'v' }])
  clock.advance(25 * 3_600_000)
  expect(await list()).toEqual([])
})

test('refused credentials and settings are listed with what to do', async () => {
  const overview = createOverview()
  const errors = [
    { kind: 'credentials', calls: 2 },
    { kind: 'misconfigured', calls: 3 },
    { kind: 'refused', calls: 9 },
  ] as const
  const recent = [
    { beganAt: NOW - 600_000, calls: 1, failures: 0, p95Ms: undefined },
    { beganAt: NOW - 300_000, calls: 5, failures: 5, p95Ms: undefined },
  ]
  const [entry, ...more] = await entries({ ...overview, recent, hour: { ...overview.hour, errors } })
  expect(more).toEqual([])
  expect(entry).toMatchObject({ id: 'vendor_refuses_us.v', since: NOW - 300_000, action: 'open_vendor' })
  expect(entry?.whatHappened).toBe(
    'In the last hour, calls refused because of the credentials: 2; price checks or bookings refused because of a setting, such as payment: 3.',
  )
  expect(entry?.whatToDo).toContain('serai vendors check')
  expect(await entries({ ...overview, recent, hour: { ...overview.hour, errors: errors.slice(2) } })).toEqual([])
})

test('an operation that mostly fails needs attention, even if the vendor as a whole answers', async () => {
  const row = (operation: string, outcome: string, calls: number) => ({
    ...{ began_at: 0, vendor_id: 'v', operation, outcome, up_to_ms: 100, calls },
  })
  const calls = [
    row('search', 'ok', 1_000),
    row('search', 'timeout', 1),
    row('find', 'ok', 1),
    row('find', 'server_error', 13),
    row('book', 'timeout', 2),
  ]
  const overview = createOverview({}, [], calls)
  expect(overview.hour.failures / overview.hour.calls).toBeLessThan(0.02)
  expect(overview.failingOperations).toEqual([{ operation: 'find', period: 'hour', calls: 14, failures: 13 }])
  expect((await entries(createOverview({}, ['open'], calls))).map(({ kind }) => kind)).toEqual(['breaker_open'])
  expect(await entries(overview)).toMatchObject([
    { id: 'operation_failing.v.find', whatHappened: 'In the last hour, 13 of 14 calls failed.' },
  ])
})
