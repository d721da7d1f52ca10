import { expect, test } from 'vitest'
import type { Room, TermChange } from '../../../web/src/api/shapes.ts'
import { toExactChange } from '../../../web/src/checkout/exact-change.ts'

const FROM = '2027-01-15T23:59:00+00:00'

/** A room of a search in pounds whose vendor charges euros. */
const aRoom = (total: number, dueAtProperty: number, fee: number) =>
  ({
    currency: 'GBP',
    total_inclusive: total * 0.86,
    due_at_property: dueAtProperty * 0.86,
    cancel_policy: {
      cancelation: 'free',
      penalties: [{ from: FROM, until: null, amount: fee * 0.86, currency: 'GBP' }],
    },
    converted_from: {
      currency: 'EUR',
      total,
      taxes_fees: 0,
      due_at_property: dueAtProperty,
      fees: [],
      penalties: [{ from: FROM, until: null, amount: fee, currency: 'EUR' }],
    },
  }) as unknown as Room

const [SHOWN, NOW] = [aRoom(461.91, 10.8, 451.11), aRoom(500, 30, 460)]
const pounds = (amount: number, more: object = {}) => ({ amount, currency: 'GBP', ...more })
const euros = (amount: number, more: object = {}) => ({ amount, currency: 'EUR', ...more })
const reported = (what: string, more = {}) =>
  ({ what, shown: pounds(1, more), now: pounds(2, more) }) as unknown as TermChange

test.each([
  ['total_price', 461.91, 500],
  ['due_now', 451.11, 470],
  ['due_at_property', 10.8, 30],
])('the change of %s is shown in the currency of the charge, like the amounts beside it', (what, before, after) => {
  expect(toExactChange(reported(what), SHOWN, NOW)).toEqual({ what, shown: euros(before), now: euros(after) })
})

test.each([
  [FROM, 451.11, 460],
  ['2027-01-14T00:00:00+00:00', 0, 0],
])('the cancellation fee from %s is the one of each policy', (from, before, after) => {
  expect(toExactChange(reported('cancellation_fee', { from }), SHOWN, NOW)).toEqual({
    what: 'cancellation_fee',
    shown: euros(before, { from }),
    now: euros(after, { from }),
  })
})

test('a change stays as reported if the vendor changed the currency of the charge', () => {
  const dollars = { ...NOW, converted_from: { ...NOW.converted_from, currency: 'USD' } } as unknown as Room
  const change = reported('total_price')
  expect(toExactChange(change, SHOWN, dollars)).toBe(change)
})
