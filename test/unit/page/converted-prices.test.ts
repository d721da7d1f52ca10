import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { Room, Summary } from '../../../web/src/api/shapes.ts'
import { EnglishOnly } from '../../../web/src/i18n/i18n.tsx'
import { Payment } from '../../../web/src/property/rate-terms.tsx'
import { PropertyCard } from '../../../web/src/results/property-card.tsx'

/** Text visible to the visitor. */
const renderText = (view: ReturnType<typeof createElement>) =>
  renderToStaticMarkup(createElement(EnglishOnly, null, view)).replace(/<[^>]*>/g, ' ')
/** Dollar amounts with the mark before them. */
const findAmounts = (text: string) => text.replaceAll('US$', '$').match(/(≈\s+)?\$[\d,.]+/g) ?? []

const PROPERTY = {
  property_id: 'a',
  name: 'Hotel A',
  total_price: 100,
  currency: 'USD',
  board: 'room_only',
  free_cancellation: { total_price: 150, until: null },
  free_cancellation_until: null,
  image: '',
  star_rating: 3,
  guest_rating: 4,
  review_count: 1,
  category: 'Hotel',
  distance_km: 1,
  rooms_left: null,
  offers_count: 1,
  vendor_id: 'acme',
} as unknown as Summary

const drawCard = (changes: Partial<Summary>) =>
  createElement(PropertyCard, {
    property: { ...PROPERTY, ...changes },
    nights: 2,
    rooms: 1,
    href: '/',
    place: 'Lisbon',
    placeKind: 'area',
    zone: 'Europe/Lisbon',
    eager: false,
    isMarked: false,
    onMark: vi.fn(),
  })

test('a card offers free cancellation until the deadline, and afterwards says that there is none', () => {
  const until = '2027-03-10T18:00:00+00:00'
  const free = { total_price: 100, until }
  vi.useFakeTimers({ now: Date.parse(until) - 1 })
  const before = renderText(drawCard({ free_cancellation: free }))
  vi.setSystemTime(Date.parse(until))
  const after = renderText(drawCard({ free_cancellation: free }))
  const dearer = renderText(drawCard({ free_cancellation: { ...free, total_price: 150 } }))
  vi.useRealTimers()
  expect(before).toMatch(/Free cancellation until .*Mar 10.*6:00\sPM \(Lisbon time\)/)
  expect(before).not.toContain('Not free to cancel')
  for (const text of [after, dearer]) {
    expect(text).not.toContain('Free cancellation')
    expect(text).toContain('Not free to cancel')
  }
})

test('a card speaks of its own prices only, because the list does not have all rates of the property', () => {
  expect(renderText(drawCard({ free_cancellation: { total_price: 150, until: null } }))).toMatch(
    /Free cancellation for (US)?\$150/,
  )
})

test('a card says that the shown price is for the room only and cannot be cancelled for free', () => {
  const { free_cancellation: _, ...rest } = PROPERTY
  const text = renderText(createElement(PropertyCard, { ...drawCard({}).props, property: rest }))
  expect(text).toContain('Room only')
  expect(text).toContain('Not free to cancel')
})

test('every converted amount of a card and of a rate is marked with ≈', () => {
  const card = (converted: boolean) => drawCard({ converted })
  const amounts = findAmounts(renderText(card(true)))
  expect(amounts.length).toBeGreaterThan(1)
  expect(amounts.filter((amount) => !amount.startsWith('≈'))).toEqual([])
  expect(renderText(card(false))).not.toContain('≈')
  const room = { total_inclusive: 100, public_price: 130, currency: 'USD', total: 100, due_at_property: 0, fees: [] }
  const charged = { total: 90, currency: 'EUR', taxes_fees: 0, due_at_property: 0, fees: [], penalties: [] }
  const rate = (converted_from: object | null) =>
    renderText(
      createElement(Payment, { room: { ...room, converted_from } as unknown as Room, nights: 2, isCharged: true }),
    )
  // The space does not break, so that the mark stays in the line of its amount.
  expect(findAmounts(rate(charged))).toEqual(['≈\u00a0$50', '≈\u00a0$130'])
  expect(rate(charged)).toContain('€90 charged when you book')
  expect(rate(null)).not.toContain('≈')
})
