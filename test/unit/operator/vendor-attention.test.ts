import { expect, test } from 'vitest'
import { vendorSources } from '../../../src/operator/attention/vendor-attention.ts'
import { describeVendor, type VendorOverview } from '../../../src/operator/vendors/describe-vendor.ts'

const NOW = Date.parse('2027-01-15T12:00:00Z')

const createOverview = (more: Partial<VendorOverview['content']> = {}, states: readonly ('open' | 'closed')[] = []) =>
  describeVendor(
    {
      now: NOW,
      slotsFrom: 0,
      hoursFrom: 0,
      slots: [],
      hours: [],
      week: [],
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
  const found = vendorSources({ overviews: async () => [vendor] }).map((source) => source(NOW, 10))
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
