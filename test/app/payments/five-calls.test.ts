import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { OTHER_ACCOUNT } from '../../support/app/app.ts'
import { oneVendorApp, playFiveCalls } from '../../support/payments/five-calls.ts'
import { scriptedProvider } from '../../support/payments/scripted-provider.ts'
import { manualClock } from '../../support/time/clock.ts'

/** Recorded with `playFiveCalls` on version 0.2.0, which had no payments, with the same stand-ins and clock. */
const RECORDED = readFileSync(join(import.meta.dirname, 'five-calls-0.2.0.txt'), 'utf8')

const [SEARCH, DETAIL, BOOK] = [
  'POST /api/accommodation_searches/search 200',
  'GET /api/accommodation_searches/accommodation 200',
  'POST /api/accommodation/book 201',
]

/** Members that were added since, none of them about payments. Any other difference fails. */
const ADDED: readonly { readonly call: string; readonly member: RegExp }[] = [
  // Fees that the vendor only describes in a text.
  { call: SEARCH, member: /,"fees_in_text":(true|false)/g },
  // Codes of vendors' words.
  ...[SEARCH, DETAIL].map((call) => ({ call, member: /,"category_code":"[a-z_]+"/g })),
  { call: DETAIL, member: /,"amenity_groups":\{[^{}]*\},"amenities":\[[^[\]]*\]/g },
  ...[DETAIL, BOOK].flatMap((call) => [
    { call, member: /,"bed_types":\[(\[[^[\]]*\],?)*\]/g },
    { call, member: /,"(label|title)_code":("[a-z_]+"|null)/g },
  ]),
]

function withoutAdded(bodies: string): string {
  let call = ''
  return bodies
    .split('\n')
    .map((line) => {
      if (/^(GET|POST) /.test(line)) call = line
      return ADDED.filter((added) => added.call === call).reduce(
        (text, { member }) => text.replaceAll(member, ''),
        line,
      )
    })
    .join('\n')
}

const apps: { close(): Promise<void> }[] = []
afterAll(() => Promise.all(apps.map((app) => app.close())))

test.each([
  ['without a provider', () => oneVendorApp()],
  [
    'with a provider, for an account that pays on account',
    () => oneVendorApp({ paymentProvider: scriptedProvider(manualClock()).provider }),
  ],
])('%s, the five calls answer byte for byte as version 0.2.0', async (_, open) => {
  const app = await open()
  apps.push(app)
  const bodies = await playFiveCalls(app, OTHER_ACCOUNT)
  expect(withoutAdded(bodies)).toBe(RECORDED)
  for (const { call, member } of ADDED) {
    const [, body = ''] = bodies.split(`${call}\n`)
    expect(body.split('\n')[0], call).toMatch(new RegExp(member.source))
  }
})
