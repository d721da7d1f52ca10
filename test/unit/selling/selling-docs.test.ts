import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { soldAmount } from '../../../src/domain/booking/sale.ts'
import { toDecimal } from '../../../src/domain/money/money.ts'
import { checkBody } from '../../../src/http/body/check-body.ts'
import { soldPrice } from '../../../src/selling/make-sale.ts'
import { readRules } from '../../../src/selling/routes/read-selling.ts'
import { RulesRequest } from '../../../src/selling/schemas.ts'
import { tryPrice } from '../../../src/selling/try-price.ts'
import { aPrice, euro, START } from '../../support/booking/an-offer.ts'
import { RATES } from '../search/arbitrary-searches.ts'

const page = readFileSync('docs/selling.md', 'utf8')
const file = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
const rules = readRules(checkBody(RulesRequest, file).rules)

test('the worked example has the amounts that the rules on the page produce', () => {
  const trial = {
    ...{ accountId: '', vendorId: 'any', propertyId: '', stars: 0, countryCode: '', locationId: '' },
    stay: { checkIn: '2027-03-01', checkOut: '2027-03-03', occupancies: [{ adults: 1, childrenAges: [] }] },
    net: euro(20_000),
    currency: 'EUR',
  }
  const pricing = { rules: { version: 1, rules }, exchangePercent: 0, rates: RATES }
  const { sum } = tryPrice(pricing, trial, START) ?? expect.fail('no price')
  const rows = ['net', 'percent', 'perNight', 'rounding', 'selling'] as const
  const documented = [...page.matchAll(/^\| (net|percent|per night|rounding|selling) \| ([\d.]+) \|$/gm)]
  expect(documented.map(([, , amount]) => amount)).toEqual(rows.map((name) => toDecimal(euro(sum[name]))))

  const sold = soldPrice(aPrice(20_000), sum.selling, sum.selling)
  const [, fee, net, share, selling] = /fee of ([\d.]+) of ([\d.]+) net\s+is ([\d.]+) of ([\d.]+)/.exec(page) ?? []
  const shown = soldAmount(aPrice(20_000), sold, euro(Number(fee) * 100))
  expect([net, share, selling]).toEqual(['200.00', toDecimal(shown), toDecimal(sold.total)])
})

test('the first rule on the page matches its description', () => {
  expect(rules[0]).toMatchObject({ match: { country: ['FR'], nights: { from: 3 } }, percent: 8, cancelBufferHours: 24 })
})
