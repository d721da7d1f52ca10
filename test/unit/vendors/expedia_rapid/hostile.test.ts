import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Vendor } from '../../../../src/vendors/contract.ts'
import { createExpediaRapid } from '../../../../src/vendors/expedia_rapid/index.ts'
import { VendorError } from '../../../../src/vendors/vendor-error.ts'
import {
  availability,
  contentAnswer,
  contentProperty,
  itinerary,
  PROPERTY_ID,
  priceCheck,
} from '../../../support/vendors/expedia_rapid.ts'
import { clock, config, context, scripted } from './scripted.ts'

const stay = { checkIn: '2027-03-01', checkOut: '2027-03-03', occupancies: [{ adults: 2, childrenAges: [] }] }
const market = { currency: 'USD', language: 'en-US', countryCode: 'US' }
const lookup = { reference: '4480ABC', email: 'a@b.co', createdOn: '2027-02-01' }
const ref = {
  check: '/v3/p?token=1',
  currency: 'USD',
  occupancies: ['2'],
  checkIn: '2027-03-01',
  checkOut: '2027-03-03',
}
const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)

const NASTY: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  '0',
  '-1.00',
  'NaN',
  '__proto__',
  '<script>alert(1)</script>',
  '2027-02-30',
  '9999-99-99T99:99:99Z',
  'x'.repeat(10_000),
  [],
  {},
  [[]],
  deep,
  { href: '//evil.example/v3/x' },
]
/** An index, so that a failing case can be printed. */
const nasty = fc.nat(NASTY.length - 1)

/** Replaces the n-th node of a JSON document (counted from the root), wrapping around. */
function damage(document: unknown, place: number, value: unknown): unknown {
  const copy: Record<string, unknown> = structuredClone({ root: document })
  const spots: [Record<string, unknown>, string][] = []
  const walk = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    for (const key of Object.keys(node)) {
      spots.push([node as Record<string, unknown>, key])
      walk((node as Record<string, unknown>)[key])
    }
  }
  walk(copy)
  const [holder, key] = spots[place % spots.length] ?? [copy, 'root']
  holder[key] = value
  return copy.root
}

async function firstPage(vendor: Vendor): Promise<unknown> {
  for await (const page of vendor.content({ kind: 'ids', ids: ['1'] }, context)) return page
  return undefined
}

const asks: [string, unknown, (vendor: Vendor) => Promise<unknown>][] = [
  [
    'availability',
    availability(),
    (vendor) => vendor.availability({ vendorPropertyIds: [PROPERTY_ID], stay, market }, context),
  ],
  [
    'rooms',
    availability(),
    (vendor) => vendor.rooms({ vendorPropertyId: PROPERTY_ID, stay, market, timezone: 'UTC' }, context),
  ],
  ['priceCheck', priceCheck(), (vendor) => vendor.priceCheck(ref, context)],
  ['content', contentAnswer(contentProperty()), (vendor) => firstPage(vendor)],
  ['find', [itinerary()], (vendor) => vendor.find(lookup, context)],
  ['previewCancel', [itinerary()], (vendor) => vendor.previewCancel(lookup, context)],
]

test.each(asks)('%s of a randomly damaged response answers or throws a VendorError', async (_, good, ask) => {
  await fc.assert(
    fc.asyncProperty(fc.nat(100_000), nasty, fc.nat(100_000), nasty, async (a, first, b, second) => {
      const body = damage(damage(good, a, NASTY[first]), b, NASTY[second])
      const vendor = createExpediaRapid(config, { ...scripted(() => ({ body })), clock })
      const answer = await ask(vendor).catch((error: unknown) => {
        if (error instanceof VendorError) return undefined
        throw error
      })
      expect(JSON.stringify(answer) ?? '').not.toMatch(/<script|evil\.example|"minor":(-|null)/)
    }),
    { numRuns: 400 },
  )
})
