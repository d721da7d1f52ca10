import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CURRENCIES, minorDigits } from '../../../src/domain/money/currency.ts'
import { createFormats, nameCountry } from '../../../web/src/i18n/format.ts'

const { money, moneyParts, roundMoney, day, longDay, moment } = createFormats('en-GB')

describe('money', () => {
  test('amounts in different currencies never look the same', () => {
    const codes = ['USD', 'CAD', 'AUD', 'NZD', 'SEK', 'NOK', 'DKK', 'JPY', 'CNY', 'EUR', 'GBP']
    for (const locale of ['en-GB', 'en-US', 'en-CA', 'de-DE']) {
      const texts = codes.map((code) => createFormats(locale).money(434, code))
      expect(new Set(texts).size, texts.join()).toBe(codes.length)
    }
    expect([money(434.94, 'USD'), money(434.94, 'CAD'), money(434, 'GBP')]).toEqual(['US$434.94', 'CA$434.94', '£434'])
  })

  test('every currency is shown with all its decimals, including those that Intl rounds', () => {
    const countDecimals = (code: string) =>
      moneyParts(1234.567, code).find(({ type }) => type === 'fraction')?.value.length ?? 0
    expect(CURRENCIES.filter((code) => countDecimals(code) !== minorDigits(code))).toEqual([])
    expect([money(45_321.5, 'HUF'), money(45_321, 'HUF'), money(9_000, 'JPY'), money(12.5, 'KWD')]).toEqual([
      'HUF\u00a045,321.50',
      'HUF\u00a045,321',
      'JP¥9,000',
      'KWD\u00a012.500',
    ])
    expect(roundMoney(45_321.5, 'HUF')).toBe('HUF\u00a045,322')
  })

  test('an amount in an unknown currency has its code', () => {
    expect(money(1234.5, 'POINTS')).toBe('1,234.5\u00a0POINTS')
    expect(roundMoney(1234.5, 'POINTS')).toBe('1,235\u00a0POINTS')
    const parts = moneyParts(1234.5, 'POINTS')
    expect(parts.map(({ value }) => value).join('')).toBe(money(1234.5, 'POINTS'))
  })
})

describe('days and moments', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-16T12:00:00Z'), toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  test('the year is shown if it is not the current one', () => {
    expect(day('2026-12-31')).toBe('Thu\u00a031\u00a0Dec')
    expect(day('2027-01-15')).toMatch(/^Fri,?\u00a015\u00a0Jan\u00a02027$/)
    expect(moment('2026-12-01T10:00:00Z', 'Europe/Paris')).toBe('Tue 1 Dec, 11:00')
    expect(moment('2027-01-15T10:00:00Z', 'Europe/Paris')).toBe('15 Jan 2027, 11:00')
    expect(longDay('2026-12-31')).toContain('2026')
  })

  test('the year of a moment is in the time zone of the property', () => {
    expect(moment('2026-12-31T20:00:00Z', 'Asia/Tokyo')).toMatch(/1 Jan 2027/)
    expect(moment('2027-01-01T03:00:00Z', 'America/New_York')).toMatch(/31 Dec(?!.*2026)/)
    expect(moment('2027-01-15T10:00:00Z', 'Nowhere/Here')).toMatch(/15 Jan 2027.*10:00/)
  })
})

test('the country at the end of an address has its name in the language of the page', () => {
  expect(nameCountry('Rua Nova 12, Lisboa, PT', 'en')).toBe('Rua Nova 12, Lisboa, Portugal')
  expect(nameCountry('Rua Nova 12, Lisboa, ES', 'de')).toBe('Rua Nova 12, Lisboa, Spanien')
  expect(nameCountry('PO Box 1', 'en')).toBe('PO Box 1')
})
