import { expect, test } from 'vitest'
import type { Summary } from '../../../web/src/api/shapes.ts'
import { formatPinPrice, placePins } from '../../../web/src/map/place-pins.ts'
import { getShownPrice } from '../../../web/src/offer/shown-price.ts'
import { countFacets } from '../../../web/src/results/filters/facets.ts'
import { type Filters, NO_FILTERS } from '../../../web/src/results/filters/filters.ts'
import { buildListing } from '../../../web/src/results/listing.ts'

/** Room only costs 100, free cancellation 150, breakfast 120 and half board 180. */
const property = (more: Partial<Summary> = {}): Summary =>
  ({
    property_id: 'a',
    name: 'Hotel A',
    total_price: 100,
    currency: 'EUR',
    converted: false,
    board: 'room_only',
    free_cancellation: { total_price: 150, until: null },
    free_cancellation_until: null,
    boards: [
      { board: 'room_only', total_price: 100 },
      { board: 'breakfast', total_price: 120 },
      { board: 'half_board', total_price: 180 },
    ],
    star_rating: 3,
    guest_ratings: { overall: 4 },
    amenities: [],
    category: 'Hotel',
    chain: '',
    location: { lat: 100, lon: 100 },
    ...more,
  }) as Summary

const free: Filters = { ...NO_FILTERS, freeCancellation: true }
const breakfast: Filters = { ...NO_FILTERS, boards: ['half_board', 'breakfast'] }
const both: Filters = { ...free, boards: ['breakfast'] }

test.each([
  ['no filter', NO_FILTERS, { total: 100, isCheapest: true, board: undefined, isLeast: false }],
  ['free cancellation', free, { total: 150, isCheapest: false, board: undefined, isLeast: false }],
  ['one of two boards', breakfast, { total: 120, isCheapest: false, board: 'breakfast', isLeast: false }],
  ['both, without a known price', both, { total: 150, isCheapest: false, board: 'breakfast', isLeast: true }],
])('the price shown is that of the cheapest matching offer: %s', (_, filters, price) => {
  expect(getShownPrice(property(), filters)).toEqual(price)
})

test('the cheapest offer matches both filters if it has the board and a time limit for free cancellation', () => {
  const until = '2027-03-01T18:00:00+01:00'
  const boards = [{ board: 'breakfast' as const, total_price: 100 }]
  const sure = property({ board: 'breakfast', boards, free_cancellation: { total_price: 100, until } })
  expect(getShownPrice(sure, both)).toMatchObject({ isLeast: true })
  expect(getShownPrice({ ...sure, free_cancellation_until: until }, both)).toMatchObject({
    total: 100,
    isCheapest: true,
  })
})

test('without prices by board, the cheapest offer gives the price of its board', () => {
  const { boards: _, ...silent } = property()
  expect(getShownPrice(silent, { ...NO_FILTERS, boards: ['room_only'] })).toMatchObject({
    total: 100,
    isCheapest: true,
  })
})

const cheap = property({ property_id: 'cheap', total_price: 80, free_cancellation: { total_price: 300, until: null } })
const dear = property({ property_id: 'dear', total_price: 90, free_cancellation: { total_price: 110, until: null } })

test('the list is sorted and filtered by the price shown, and reports when that has changed', () => {
  const shown = (filters: Filters) =>
    buildListing([], [cheap, dear], filters, 'price', 'fresh').shown.map(({ property_id }) => property_id)
  expect(shown(NO_FILTERS)).toEqual(['cheap', 'dear'])
  expect(shown(free)).toEqual(['dear', 'cheap'])
  expect(shown({ ...free, priceMax: 200 })).toEqual(['dear'])
  expect(shown({ ...free, priceMin: 200 })).toEqual(['cheap'])
  const later = [cheap, { ...dear, free_cancellation: { total_price: 105, until: null } }]
  expect(buildListing([cheap, dear], later, free, 'price', 'hold').outdated).toBe(1)
  expect(buildListing([cheap, dear], later, NO_FILTERS, 'price', 'hold').outdated).toBe(0)
})

test('the price filter uses the prices that match the other filters', () => {
  expect(countFacets([cheap, dear], free).prices).toMatchObject({ lowest: 110, highest: 300 })
  const limited = countFacets([cheap, dear], { ...NO_FILTERS, priceMax: 119 })
  expect(limited.freeCancellation).toBe(1)
  expect(Object.fromEntries(limited.boards)).toEqual({ room_only: 2, breakfast: 0, half_board: 0 })
})

const describePins = (properties: readonly Summary[], filters: Filters) =>
  placePins(properties, () => ({ x: 100, y: 100 }), { width: 500, height: 500 }, filters).map((pin) => [
    pin.property.property_id,
    formatPinPrice(pin, (amount, currency) => `${amount} ${currency}`, 'from'),
  ])

test('a pin shows the same price as the card, for the cheapest stay by that price', () => {
  expect(describePins([cheap, dear], NO_FILTERS)).toEqual([['cheap', '80 EUR']])
  expect(describePins([cheap, dear], free)).toEqual([['dear', '110 EUR']])
  expect(describePins([dear], both)).toEqual([['dear', 'from 120 EUR']])
})

test('a pin marks converted prices', () => {
  expect(describePins([{ ...cheap, converted: true }], NO_FILTERS)).toEqual([['cheap', '≈ 80 EUR']])
  expect(describePins([{ ...dear, converted: true }], both)).toEqual([['dear', 'from ≈ 120 EUR']])
})

test('pins with “from” are wider and need more space', () => {
  const spots = (filters: Filters) =>
    placePins(
      [cheap, dear],
      ({ property_id }) => ({ x: property_id === 'cheap' ? 100 : 200, y: 100 }),
      { width: 500, height: 500 },
      filters,
    ).length
  expect(spots(free)).toBe(2)
  expect(spots(both)).toBe(1)
})
