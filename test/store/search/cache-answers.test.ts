import { zstdCompressSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { withAvailabilityCache } from '../../../src/search/cache-availability.ts'
import type { AvailabilityAnswer, AvailabilityQuery, Vendor } from '../../../src/vendors/contract.ts'
import { VendorError } from '../../../src/vendors/vendor-error.ts'
import { createMemoryCache } from '../../support/store/memory-cache.ts'
import { manualClock } from '../../support/time/clock.ts'

const QUERY: AvailabilityQuery = {
  vendorPropertyIds: ['1', '2'],
  stay: { checkIn: '2027-02-01', checkOut: '2027-02-03', occupancies: [{ adults: 2, childrenAges: [] }] },
  market: { currency: 'EUR', language: 'en-US', countryCode: 'CH' },
}
const ANSWER: AvailabilityAnswer = {
  offers: [
    {
      vendorId: 'acme',
      vendorPropertyId: '1',
      total: { minor: 24_990, currency: 'EUR' },
      publicTotal: { minor: 30_000, currency: 'EUR' },
      board: 'breakfast',
      freeCancellation: {},
      roomsLeft: 3,
    },
    {
      vendorId: 'acme',
      vendorPropertyId: '2',
      total: { minor: 9_000, currency: 'EUR' },
      publicTotal: { minor: 9_000, currency: 'EUR' },
      board: 'room_only',
    },
  ],
  dropped: 1,
}
const context = { signal: new AbortController().signal, requestId: 'req_1' }

/** A vendor that counts its requests. */
function aVendor(answer: () => AvailabilityAnswer = () => ANSWER) {
  let asked = 0
  const vendor = {
    id: 'acme',
    async availability() {
      asked += 1
      return answer()
    },
  } as unknown as Vendor
  return { vendor, asked: () => asked }
}

test('an answer that one node received is reused unchanged by another node until it expires', async () => {
  const clock = manualClock()
  const cache = createMemoryCache(clock)
  const { vendor, asked } = aVendor()
  const [first, second] = [withAvailabilityCache(vendor, cache, 30_000), withAvailabilityCache(vendor, cache, 30_000)]
  expect(await first.availability(QUERY, context)).toEqual(ANSWER)
  await expect
    .poll(async () => {
      const before = asked()
      const again = await second.availability(QUERY, context)
      expect(again).toEqual(ANSWER)
      return asked() - before
    })
    .toBe(0)
  const settled = asked()
  clock.advance(30_001)
  await second.availability(QUERY, context)
  expect(asked()).toBe(settled + 1)
})

test('an incomplete answer is not cached', async () => {
  const set = vi.fn(async () => undefined)
  const { vendor } = aVendor(() => ({ ...ANSWER, isIncomplete: true }))
  const reusing = withAvailabilityCache(vendor, { get: async () => undefined, set }, 30_000)
  expect(await reusing.availability(QUERY, context)).toMatchObject({ isIncomplete: true })
  await new Promise((later) => setTimeout(later, 30))
  expect(set).not.toHaveBeenCalled()
})

test('an answer is not reused for another stay, market or list of properties', async () => {
  const cache = createMemoryCache(manualClock())
  const { vendor, asked } = aVendor()
  const node = withAvailabilityCache(vendor, cache, 30_000)
  const others: AvailabilityQuery[] = [
    { ...QUERY, vendorPropertyIds: ['1'] },
    { ...QUERY, stay: { ...QUERY.stay, checkOut: '2027-02-04' } },
    { ...QUERY, stay: { ...QUERY.stay, occupancies: [{ adults: 2, childrenAges: [4] }] } },
    { ...QUERY, market: { ...QUERY.market, currency: 'USD' } },
    { ...QUERY, market: { ...QUERY.market, countryCode: 'DE' } },
  ]
  for (const query of [QUERY, ...others]) await node.availability(query, context)
  expect(asked()).toBe(1 + others.length)
})

test('a failure is not cached', async () => {
  const cache = createMemoryCache(manualClock())
  let fails = true
  const { vendor, asked } = aVendor(() => {
    if (fails) throw new VendorError('acme', 'unavailable', 'none')
    return ANSWER
  })
  const node = withAvailabilityCache(vendor, cache, 30_000)
  await expect(node.availability(QUERY, context)).rejects.toThrow(VendorError)
  fails = false
  expect(await node.availability(QUERY, context)).toEqual(ANSWER)
  expect(asked()).toBe(2)
})

test.each([
  ['damaged bytes', Buffer.from('not zstd')],
  ['a value that is not an answer', zstdCompressSync('null')],
  ['an answer of another shape', zstdCompressSync('{"found":[]}')],
])('the vendor is asked if the cache contains %s', async (_, bytes) => {
  const { vendor, asked } = aVendor()
  const damaged = { get: async () => bytes, set: async () => undefined }
  expect(await withAvailabilityCache(vendor, damaged, 30_000).availability(QUERY, context)).toEqual(ANSWER)
  expect(asked()).toBe(1)
})
