import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VendorError } from '../../../../src/vendors/vendor-error.ts'
import { type Json, TAXED, withTaxes } from '../../../support/vendors/hotelbeds.ts'
import { context, scripted } from './scripted.ts'

const stay = { checkIn: '2027-06-15', checkOut: '2027-06-16', occupancies: [{ adults: 2, childrenAges: [] }] }
const market = { currency: 'EUR', language: 'en', countryCode: 'ES' }
const NOW = '2026-11-16T08:00:00Z'

const search = (answer: unknown, occupancies = stay.occupancies) =>
  scripted([{ body: answer }], NOW).vendor.availability(
    { vendorPropertyIds: ['1'], stay: { ...stay, occupancies }, market },
    context,
  )
const offered = (answer: unknown) =>
  scripted([{ body: answer }], NOW).vendor.rooms(
    { vendorPropertyId: String(TAXED), stay, market, timezone: 'Europe/Madrid' },
    context,
  )

/** Response with these fields in every rate of the first hotel. */
function withRates(change: Json) {
  const copy = withTaxes()
  const [hotel] = copy.hotels.hotels
  for (const room of hotel?.rooms ?? []) for (const rate of room.rates) Object.assign(rate, change)
  return copy
}

test.each<Json>([
  { net: '0' },
  { net: '-5.00' },
  { net: 'NaN' },
  { net: null },
  { net: {} },
  { net: '1e9' },
  { net: '12.345' },
  { net: '99999999999999999999' },
  { rateKey: 7 },
  { rateKey: '' },
  { rateType: 'toString' },
  { boardCode: 'constructor', boardName: undefined },
  { boardCode: '__proto__', boardName: '' },
  { boardCode: ['BB'] },
  { rooms: '1' },
  { adults: 3 },
  { children: 1 },
  { taxes: { taxes: [7] } },
  { taxes: { taxes: [{ included: 'no', amount: '1' }] } },
  { taxes: { taxes: [{ included: false, amount: '-9', currency: 'EUR' }] } },
  { cancellationPolicies: [{ amount: '1.00', from: '2027-02-30T23:59:00+01:00' }] },
  { cancellationPolicies: [{ amount: '1.00', from: 'tomorrow' }] },
  { cancellationPolicies: [{ amount: '-1.00', from: '2027-06-01T23:59:00+01:00' }] },
  { cancellationPolicies: [null] },
  { hotelMandatory: true, sellingRate: undefined },
])('rates with %o are dropped without affecting other hotels', async (change) => {
  const others = withTaxes().hotels.hotels.length - 1
  const answer = await search(withRates(change))
  expect(answer).toMatchObject({ dropped: 1 })
  expect(answer.offers).toHaveLength(others)
  expect(await offered(withRates(change))).toEqual([])
})

test.each([
  [null],
  [7],
  ['x'],
  [[]],
  [{}],
  [{ code: 1 }],
  [{ code: 1, currency: 'XXX', rooms: [] }],
  [{ code: 1, currency: 'EUR', rooms: { rates: 1 } }],
])('a hotel that is %o is dropped and counted', async (hotel) => {
  const copy = withTaxes()
  const { offers } = await search(withTaxes())
  const list: unknown[] = copy.hotels.hotels
  list.push(hotel)
  const answer = await search(copy)
  expect(answer).toEqual({ offers, dropped: 1 })
})

test.each([
  [undefined],
  [null],
  [[]],
  ['<html>'],
  [7],
  [{}],
  [{ hotels: [] }],
  [{ hotels: { hotels: {} } }],
  [{ hotels: 'x' }],
])('a response that is %o is malformed', async (answer) => {
  await expect(search(answer)).rejects.toMatchObject({ fault: 'malformed', effect: 'none' })
})

test('markup is removed from names and promotions', async () => {
  const copy = withRates({ promotions: [{ code: '1', name: '<script>x</script>Stay <b>longer</b>' }] })
  const [hotel] = copy.hotels.hotels
  for (const room of hotel?.rooms ?? []) room.name = 'DOUBLE<img src=x onerror=y>'
  const [offer] = await offered(copy)
  expect(offer).toMatchObject({ name: 'Double', extras: ['Stay longer'] })
})

test('very deep nesting is skipped', async () => {
  let deep: unknown = 1
  for (let depth = 0; depth < 20_000; depth++) deep = [deep]
  const answer = await search(withRates({ taxes: deep, cancellationPolicies: deep, promotions: deep, offers: deep }))
  expect(answer.dropped).toBe(1)
})

/** Replaces a random node of the response. */
function vandalise(root: unknown, path: readonly number[], value: unknown): void {
  let node = root as Json | unknown[]
  for (const step of path) {
    const keys = Object.keys(node)
    const key = keys[step % Math.max(1, keys.length)]
    if (key === undefined) return
    const next = (node as Json)[key]
    if (typeof next !== 'object' || next === null || step % 5 === 4) {
      ;(node as Json)[key] = value
      return
    }
    node = next as Json
  }
}

test('a randomly damaged response is decoded with valid prices or rejected as malformed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(50), { minLength: 1, maxLength: 12 }), fc.jsonValue(), async (path, value) => {
      const answer = withTaxes()
      vandalise(answer, path, value)
      const result = await search(answer, [{ adults: 2, childrenAges: [] }]).catch((error: unknown) => error)
      if (result instanceof VendorError) {
        expect(result.fault).toBe('malformed')
        return
      }
      if (result instanceof Error) throw result
      const { offers } = result as Awaited<ReturnType<typeof search>>
      const isPriced = ({ total, publicTotal }: (typeof offers)[number]) =>
        total.minor > 0 && Number.isSafeInteger(total.minor) && publicTotal.minor >= total.minor
      expect(offers.filter((offer) => !isPriced(offer))).toEqual([])
    }),
    { numRuns: 400 },
  )
})
