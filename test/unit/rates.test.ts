import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ageWithoutWeekends, completeRates, findJumps } from '../../src/rates/compare-rates.ts'
import { parseEcb } from '../../src/rates/parse-ecb.ts'
import { ecbFile } from '../support/http/ecb-file.ts'

const RATES = { USD: 1.14, JPY: 184, GBP: 0.87, CHF: 0.93, SEK: 11 }

test('the daily file of the European Central Bank is read with its day, and amounts are per euro', () => {
  expect(parseEcb(ecbFile('2027-01-15', RATES))).toEqual({ date: '2027-01-15', rates: { EUR: 1, ...RATES } })
})

test('of a file with several days only the first is read, and unknown currencies are left out', () => {
  const [first, second] = [ecbFile('2027-01-15', { ...RATES, QQQ: 5 }), ecbFile('2027-01-14', { USD: 9 })]
  expect(parseEcb(first + second)).toEqual({ date: '2027-01-15', rates: { EUR: 1, ...RATES } })
})

test.each([
  ['an error page', '<html>moved</html>', 'no day'],
  ['a day that does not exist', ecbFile('2027-13-40', RATES), 'no day'],
  ['a rate of zero', ecbFile('2027-01-15', { ...RATES, JPY: 0 }), 'JPY'],
  ['a rate that is not a number', ecbFile('2027-01-15', RATES).replace("'184'", "'1.8.4'"), 'JPY'],
  ['a list without the dollar', ecbFile('2027-01-15', { ...RATES, USD: undefined, PLN: 4, CZK: 25 }), 'too few'],
  ['a list that was cut off', ecbFile('2027-01-15', { USD: 1.14, JPY: 184 }), 'too few'],
])('%s is refused with its reason', (_, text, reason) => {
  expect(() => parseEcb(text)).toThrow(reason)
})

test('a change of more than 20 % in either direction is a jump, and 20 % is not', () => {
  const before = { date: '2027-01-14', rates: { USD: 1, JPY: 100, GBP: 1, SEK: 10 } }
  const after = { date: '2027-01-15', rates: { USD: 1.2, JPY: 79, GBP: 0.81, SEK: 12.1, NOK: 11 } }
  expect(findJumps(before, after)).toEqual([
    { currency: 'JPY', before: 100, after: 79 },
    { currency: 'SEK', before: 10, after: 12.1 },
  ])
})

test('currencies that the source lacks keep their rate to the dollar', () => {
  const file = { date: '2026-09-29', rates: { EUR: 1, USD: 1, AED: 3.6725, GBP: 0.9 } }
  const published = { date: '2027-01-15', rates: { EUR: 1, USD: 1.2, GBP: 0.8 } }
  const { date, rates } = completeRates(published, file)
  expect(date).toBe('2027-01-15')
  expect(rates).toEqual({ EUR: 1, USD: 1.2, GBP: 0.8, AED: expect.closeTo(4.407, 6) })
})

test('the age counts from the end of the day of the rates and leaves out weekends', () => {
  const friday = { date: '2027-01-15', rates: {} }
  const hoursAt = (time: string) => ageWithoutWeekends(friday, Date.parse(time)) / 3_600_000
  expect(hoursAt('2027-01-15T20:00:00Z')).toBe(0)
  expect(hoursAt('2027-01-17T12:00:00Z')).toBe(0)
  expect(hoursAt('2027-01-18T15:00:00Z')).toBe(15)
  expect(hoursAt('2027-01-21T01:00:00Z')).toBe(73)
  // Over Easter four days in a row have no rates; the alert after three days must stay silent.
  const thursday = { date: '2027-03-25', rates: {} }
  expect(ageWithoutWeekends(thursday, Date.parse('2027-03-30T16:00:00Z')) / 3_600_000).toBe(64)
})

let folder: string | undefined
afterEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true })
  folder = undefined
})

test('the command that renews the file of the release writes the rates of a package', () => {
  folder = mkdtempSync(join(tmpdir(), 'rates-'))
  mkdirSync(join(folder, 'package/v1/currencies'), { recursive: true })
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ version: '2027.1.15' }))
  const eur = { usd: 1.14, jpy: 184.123456789, btc: 0.00001, xyz: 0 }
  writeFileSync(join(folder, 'package/v1/currencies/eur.json'), JSON.stringify({ date: '2027-01-15', eur }))
  execFileSync(process.execPath, [join(process.cwd(), 'scripts/update-exchange-rates.ts'), 'package'], { cwd: folder })
  expect(JSON.parse(readFileSync(join(folder, 'data/exchange-rates.json'), 'utf8'))).toMatchObject({
    source: '@fawazahmed0/currency-api 2027.1.15',
    date: '2027-01-15',
    rates: { USD: 1.14, JPY: 184.12346 },
  })
})
