import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { penaltyAt } from '../../../src/domain/booking/cancel-policy.ts'
import { noticeChanges, type Terms, worseTerms } from '../../../src/domain/booking/compare-terms.ts'
import type { CancelTerms, Notice, Price } from '../../../src/domain/offer.ts'
import { aPrice, euro, START } from '../../support/booking/an-offer.ts'

const DAY = 86_400_000
const iso = (day: number) => new Date(START + day * DAY).toISOString()
const free = (until: number, minor: number): CancelTerms => ({
  refundable: true,
  penalties: [{ from: iso(until), amount: euro(minor) }],
})
const terms = (more: Partial<Terms> = {}): Terms => ({
  price: aPrice(),
  cancel: free(10, 12_000),
  board: 'breakfast',
  ...more,
})
const priced = (total: number, due = 0): Price => ({ ...aPrice(total), dueAtProperty: euro(due) })
const whats = (shown: Terms, now: Terms) => worseTerms(shown, now, START).map(({ what }) => what)

describe('worse', () => {
  test.each<[string, Partial<Terms>, string[]]>([
    ['a higher fee', { cancel: free(10, 12_001) }, ['cancellation_fee']],
    ['a fee that begins a day sooner', { cancel: free(9, 12_000) }, ['cancellation_fee']],
    [
      'a second step at the end',
      { cancel: { refundable: true, penalties: [...free(10, 12_000).penalties, ...free(20, 24_990).penalties] } },
      ['cancellation_fee'],
    ],
    [
      'not refundable any more',
      { cancel: { refundable: false, penalties: [{ from: iso(-1), amount: euro(24_990) }] } },
      ['cancellation_fee', 'cancellation_fee', 'refundable'],
    ],
    [
      'refundability lost although no step says so',
      { cancel: { ...free(10, 12_000), refundable: false } },
      ['refundable'],
    ],
    ['the board lost', { board: 'room_only' }, ['board']],
    ['a board that cannot be compared', { board: 'self_catering' }, ['board']],
    ['more at the property for the same total', { price: priced(24_990, 500) }, ['due_at_property']],
    ['more at the property for a lower total', { price: priced(20_000, 500) }, ['due_at_property']],
  ])('%s', (_name, now, expected) => {
    expect(whats(terms(), terms(now))).toEqual(expected)
  })

  test('to pay now what was to be paid at the property', () => {
    expect(whats(terms({ price: priced(24_990, 500) }), terms())).toEqual(['due_now'])
  })

  test('another currency cannot be compared', () => {
    const dollars = JSON.parse(JSON.stringify(terms()).replaceAll('EUR', 'USD'))
    expect(whats(terms(), dollars)).toEqual(['currency'])
  })

  test('a fee that grows more than an accepted price, or appears with it', () => {
    const raised = { price: priced(27_489) }
    expect(whats(terms(), terms({ ...raised, cancel: free(10, 13_300) }))).toEqual(['cancellation_fee'])
    expect(whats(terms({ cancel: free(10, 0) }), terms({ ...raised, cancel: free(10, 2) }))).toEqual([
      'cancellation_fee',
    ])
  })

  test('each higher step is told once, with both amounts and its moment', () => {
    expect(worseTerms(terms(), terms({ cancel: free(5, 15_000) }), START)).toEqual([
      { what: 'cancellation_fee', from: START + 5 * DAY, shown: euro(0), now: euro(15_000) },
      { what: 'cancellation_fee', from: START + 10 * DAY, shown: euro(12_000), now: euro(15_000) },
    ])
  })
})

describe('not worse', () => {
  test.each<[string, Partial<Terms>]>([
    ['the same', {}],
    ['a lower price with lower fees', { price: priced(20_000), cancel: free(10, 10_000) }],
    ['a larger board', { board: 'half_board' }],
    ['a later fee', { cancel: free(11, 12_000) }],
    ['a fee that grows with the price', { price: priced(27_489), cancel: free(10, 13_200) }],
    ['the vendor now tells terms that are free', { cancel: { refundable: true, penalties: [] } }],
  ])('%s', (_name, now) => {
    expect(whats(terms(), terms(now))).toEqual([])
  })

  test('terms that were not told count as nothing refundable: whatever comes is better', () => {
    expect(whats(terms({ cancel: undefined }), terms())).toEqual([])
  })

  test('a fee that is everything paid now grows as that does, while the part at the property stays the same', () => {
    const shown = terms({
      price: priced(194_096, 1_859),
      cancel: { refundable: false, penalties: [{ from: iso(0), amount: euro(192_237) }] },
    })
    const now = terms({
      price: priced(207_551, 1_859),
      cancel: { refundable: false, penalties: [{ from: iso(0), amount: euro(205_692) }] },
    })
    expect(whats(shown, now)).toEqual([])
  })

  test('what has begun meanwhile as it was announced', () => {
    expect(worseTerms(terms(), terms({ cancel: free(8, 12_000) }), START + 11 * DAY)).toEqual([])
  })
})

const step = fc.record({
  from: fc.integer({ min: -3, max: 30 }).map(iso),
  until: fc.option(fc.integer({ min: 0, max: 40 }).map(iso), { nil: undefined }),
  amount: fc.integer({ min: 0, max: 30_000 }).map(euro),
})
const cancel: fc.Arbitrary<CancelTerms> = fc.record({
  refundable: fc.boolean(),
  penalties: fc.array(
    step.map(({ until, ...rest }) => (until === undefined ? rest : { ...rest, until })),
    { maxLength: 4 },
  ),
})
const anyTerms: fc.Arbitrary<Terms> = fc.record({
  price: fc
    .tuple(fc.integer({ min: 1_000, max: 40_000 }), fc.integer({ min: 0, max: 900 }))
    .map(([total, due]) => priced(total, due)),
  cancel: fc.option(cancel, { nil: undefined }),
  board: fc.constantFrom('room_only', 'breakfast', 'half_board', 'self_catering'),
})

test('nothing is worse than itself', () => {
  fc.assert(
    fc.property(anyTerms, (any) => {
      expect(worseTerms(any, any, START)).toEqual([])
    }),
  )
})

test('a policy is called worse exactly when cancelling costs more at some hour, for the same price', () => {
  fc.assert(
    fc.property(cancel, cancel, (before, after) => {
      const [shown, now] = [terms({ cancel: before }), terms({ cancel: after })]
      const hours = Array.from({ length: 45 * 24 }, (_, hour) => START + hour * 3_600_000)
      const costs = ({ cancel, price }: Terms, at: number) => penaltyAt(cancel, price.total, at).minor
      const isDearer = hours.some((at) => costs(now, at) > costs(shown, at))
      expect(whats(shown, now).includes('cancellation_fee')).toBe(isDearer)
    }),
    { numRuns: 300 },
  )
})

test('everything grown in the same proportion is a change of price and of nothing else', () => {
  fc.assert(
    fc.property(anyTerms, fc.integer({ min: 101, max: 300 }), (shown, percent) => {
      const grown = (minor: number) => euro(Math.floor((minor * percent) / 100))
      const now: Terms = {
        ...shown,
        price: {
          ...shown.price,
          total: grown(shown.price.total.minor),
          dueAtProperty: grown(shown.price.dueAtProperty.minor),
        },
        cancel: shown.cancel && {
          ...shown.cancel,
          penalties: shown.cancel.penalties.map((one) => ({ ...one, amount: grown(one.amount.minor) })),
        },
      }
      expect(whats(shown, now)).toEqual([])
    }),
  )
})

test('a notice more, less or in other words is a change of notices', () => {
  const notice: Notice = { kind: 'rate_comment', title: '', text: '8.00 Euro on arrival', requiredAt: ['checkout'] }
  const shown = terms({ notices: [notice] })
  expect(noticeChanges(shown, terms({ notices: [{ ...notice }] }))).toEqual([])
  for (const notices of [[], [notice, notice], [{ ...notice, text: '9.00 Euro on arrival' }]])
    expect(noticeChanges(shown, terms({ notices }))).toMatchObject([{ what: 'notices' }])
})
