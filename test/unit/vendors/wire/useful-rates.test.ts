import { expect, test } from 'vitest'
import type { Offer } from '../../../../src/domain/offer.ts'
import { selectUsefulRates } from '../../../../src/vendors/wire/useful-rates.ts'

const eur = (minor: number) => ({ minor, currency: 'EUR' })
const rate = (minor: number, more: Partial<Offer> = {}): Offer => ({
  vendorId: 'alpha',
  vendorPropertyId: '1',
  total: eur(minor),
  publicTotal: eur(minor),
  board: 'room_only',
  ...more,
})
const free = { freeCancellation: {} }

test('a list has the cheapest rate and the cheapest with free cancellation, sorted by price', () => {
  const rates = [rate(140, free), rate(120, free), rate(100), rate(110)]
  expect(selectUsefulRates(rates)).toEqual([rate(100), rate(120, free)])
  expect(selectUsefulRates([rate(120, free), rate(130)])).toEqual([rate(120, free)])
  expect(selectUsefulRates([])).toEqual([])
})

test('a dearer rate is kept if limits on selling prices may make it the cheapest, free or not', () => {
  const limited = rate(100, { bounds: { min: eur(150) } })
  expect(selectUsefulRates([limited, rate(120), rate(130)])).toEqual([limited, rate(120)])
  const fixed = rate(140, { bounds: { fixed: eur(140) } })
  expect(selectUsefulRates([rate(110), fixed, rate(150)])).toEqual([rate(110), fixed])
  const freeLimited = rate(100, { ...free, bounds: { min: eur(150) } })
  expect(selectUsefulRates([freeLimited, rate(105), rate(120, free)])).toEqual([
    freeLimited,
    rate(105),
    rate(120, free),
  ])
})
