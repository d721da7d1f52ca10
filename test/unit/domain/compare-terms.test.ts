import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { penaltyAt } from '../../../src/domain/booking/cancel-policy.ts'
import { findWorseTerms, noticeChanges, type Terms } from '../../../src/domain/booking/compare-terms.ts'
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
const worseKinds = (shown: Terms, now: Terms) => findWorseTerms(shown, now, START).map(({ what }) => what)

describe('worse terms', () => {
  test.each<[string, Partial<Terms>, string[]]>([
    ['a higher fee', { cancel: free(10, 12_001) }, ['cancellation_fee']],
    ['a fee that begins a day sooner', { cancel: free(9, 12_000) }, ['cancellation_fee']],
    [
      'a second step at the end',
      { cancel: { refundable: true, penalties: [...free(10, 12_000).penalties, ...free(20, 24_990).penalties] } },
      ['cancellation_fee'],
    ],
    [
      'a policy that is no longer refundable',
      { cancel: { refundable: false, penalties: [{ from: iso(-1), amount: euro(24_990) }] } },
      ['cancellation_fee', 'cancellation_fee', 'refundable'],
    ],
    ['refundability lost without a step', { cancel: { ...free(10, 12_000), refundable: false } }, ['refundable']],
    ['a lost board', { board: 'room_only' }, ['board']],
    ['a board that cannot be compared', { board: 'self_catering' }, ['board']],
    ['more due at the property for the same total', { price: priced(24_990, 500) }, ['due_at_property']],
    ['more due at the property for a lower total', { price: priced(20_000, 500) }, ['due_at_property']],
  ])('%s is worse', (_name, now, expected) => {
    expect(worseKinds(terms(), terms(now))).toEqual(expected)
  })

  test('paying now instead of at the property is worse', () => {
    expect(worseKinds(terms({ price: priced(24_990, 500) }), terms())).toEqual(['due_now'])
  })

  test('terms in another currency cannot be compared', () => {
    const dollars = JSON.parse(JSON.stringify(terms()).replaceAll('EUR', 'USD'))
    expect(worseKinds(terms(), dollars)).toEqual(['currency'])
  })

  test('a fee that rises more than an accepted price, or appears with it, is worse', () => {
    const raised = { price: priced(27_489) }
    expect(worseKinds(terms(), terms({ ...raised, cancel: free(10, 13_300) }))).toEqual(['cancellation_fee'])
    expect(worseKinds(terms({ cancel: free(10, 0) }), terms({ ...raised, cancel: free(10, 2) }))).toEqual([
      'cancellation_fee',
    ])
  })

  test('each higher step is reported once, with both amounts and its time', () => {
    expect(findWorseTerms(terms(), terms({ cancel: free(5, 15_000) }), START)).toEqual([
      { what: 'cancellation_fee', from: START + 5 * DAY, shown: euro(0), now: euro(15_000) },
      { what: 'cancellation_fee', from: START + 10 * DAY, shown: euro(12_000), now: euro(15_000) },
    ])
  })
})

describe('terms that are not worse', () => {
  test.each<[string, Partial<Terms>]>([
    ['an identical offer', {}],
    ['a lower price with lower fees', { price: priced(20_000), cancel: free(10, 10_000) }],
    ['a larger board', { board: 'half_board' }],
    ['a later fee', { cancel: free(11, 12_000) }],
    ['a fee that grows with the price', { price: priced(27_489), cancel: free(10, 13_200) }],
    ['a policy that has become free', { cancel: { refundable: true, penalties: [] } }],
  ])('%s is not worse', (_name, now) => {
    expect(worseKinds(terms(), terms(now))).toEqual([])
  })

  test('missing terms mean non-refundable, so that any terms are better', () => {
    expect(worseKinds(terms({ cancel: undefined }), terms())).toEqual([])
  })

  test('a fee of everything paid now may rise with it while the amount due at the property stays the same', () => {
    const shown = terms({
      price: priced(194_096, 1_859),
      cancel: { refundable: false, penalties: [{ from: iso(0), amount: euro(192_237) }] },
    })
    const now = terms({
      price: priced(207_551, 1_859),
      cancel: { refundable: false, penalties: [{ from: iso(0), amount: euro(205_692) }] },
    })
    expect(worseKinds(shown, now)).toEqual([])
  })

  test('a fee that has begun as announced is not worse', () => {
    expect(findWorseTerms(terms(), terms({ cancel: free(8, 12_000) }), START + 11 * DAY)).toEqual([])
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

test('no terms are worse than themselves', () => {
  fc.assert(
    fc.property(anyTerms, (any) => {
      expect(findWorseTerms(any, any, START)).toEqual([])
    }),
  )
})

test('for the same price, a policy is worse exactly if cancelling costs more at some hour', () => {
  fc.assert(
    fc.property(cancel, cancel, (before, after) => {
      const [shown, now] = [terms({ cancel: before }), terms({ cancel: after })]
      const hours = Array.from({ length: 45 * 24 }, (_, hour) => START + hour * 3_600_000)
      const costs = ({ cancel, price }: Terms, time: number) => penaltyAt(cancel, price.total, time).minor
      const isDearer = hours.some((time) => costs(now, time) > costs(shown, time))
      expect(worseKinds(shown, now).includes('cancellation_fee')).toBe(isDearer)
    }),
    { numRuns: 300 },
  )
})

test('terms that grow in proportion to the price are only a change of price', () => {
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
          penalties: shown.cancel.penalties.map((penalty) => ({ ...penalty, amount: grown(penalty.amount.minor) })),
        },
      }
      expect(worseKinds(shown, now)).toEqual([])
    }),
  )
})

test('an added, removed or reworded notice is a change of notices', () => {
  const notice: Notice = { kind: 'rate_comment', title: '', text: '8.00 Euro on arrival', requiredAt: ['checkout'] }
  const shown = terms({ notices: [notice] })
  expect(noticeChanges(shown, terms({ notices: [{ ...notice }] }))).toEqual([])
  for (const notices of [[], [notice, notice], [{ ...notice, text: '9.00 Euro on arrival' }]])
    expect(noticeChanges(shown, terms({ notices }))).toMatchObject([{ what: 'notices' }])
})
