import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DISCREPANCY_CODES } from '../../../src/domain/booking/discrepancy.ts'
import { VENDOR_FAULTS } from '../../../src/vendors/vendor-error.ts'
import { describeReason, mergeQuickEvents } from '../../../web/src/bookings/history-reason.ts'
import { de } from '../../../web/src/i18n/de.ts'
import { en } from '../../../web/src/i18n/en.ts'

const BOOKING = join(import.meta.dirname, '../../../src/booking')
/** Reasons that the service writes by name: `reason: 'found'`, `settle('rejected', 'not_found')`, `reason = x ? 'a' : 'b'`. */
const NAMED =
  /\breason: '(\w+)'|\bsettled?\((?:[^()]*, )?(?:'\w+'|[^()]* : '\w+'), '(\w+)'|\breason = .*\? '(\w+)' : '(\w+)'/g
const named = readdirSync(BOOKING, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(BOOKING, file), 'utf8'))
  .flatMap((text) => [...text.matchAll(NAMED)].flatMap(([, ...names]) => names.filter((name) => name !== undefined)))
const RECEIPTS = ['confirmed', 'pending', 'rejected', 'cancelled', 'partly_cancelled']

test('every reason that the service writes has a text in English and German', () => {
  expect(named).toEqual(expect.arrayContaining(['not_sent', 'cut_off', 'found', 'vendor_rejected', 'not_found']))
  expect(named.length).toBeGreaterThan(12)
  for (const reason of [...VENDOR_FAULTS, ...DISCREPANCY_CODES, ...RECEIPTS, ...named, 'internal']) {
    const { key } = describeReason({ to: 'needs_review', reason }) ?? {}
    expect(key && en[key], reason).toMatch(/^[A-Z].* .*\.$/)
    expect(key && de[key], reason).toMatch(/^\p{Lu}.* .*\.$/u)
  }
})

test('a reason by an operator is shown as written, and redundant or unknown codes are hidden', () => {
  const written = describeReason({ to: 'confirmed', reason: 'operator: the hotel: has\ncalled' })
  expect(written).toEqual({ key: 'reason_staff_says', values: { text: 'the hotel: has\ncalled' } })
  expect(describeReason({ to: 'confirmed', reason: 'operator: resolved manually' })).toEqual({ key: 'reason_staff' })
  expect(describeReason({ to: 'cancelled', reason: 'cancelled' })).toBeUndefined()
  expect(describeReason({ to: 'cancelled', reason: null })).toBeUndefined()
  expect(describeReason({ to: 'cancelled', reason: 'of_a_later_version' })).toBeUndefined()
})

test('a step that the next state replaced within the same minute is left out, unless it has a reason', () => {
  const event = (
    to: 'pending' | 'submitting' | 'in_doubt' | 'confirmed',
    at: string,
    reason: string | null = null,
  ) => ({
    type: 'booking.status',
    ...{ to, at, reason },
  })
  const toMinute = (at: string) => at.slice(0, 5)
  const shown = (...events: readonly ReturnType<typeof event>[]) =>
    mergeQuickEvents(events, toMinute).map(({ to }) => to)
  expect(shown(event('pending', '10:00:01'), event('submitting', '10:00:02'), event('confirmed', '10:00:04'))).toEqual([
    'confirmed',
  ])
  expect(shown(event('pending', '10:00:01'), event('submitting', '10:04:02'))).toEqual(['pending', 'submitting'])
  expect(shown(event('submitting', '10:00:01', 'cut_off'), event('in_doubt', '10:00:02'))).toEqual([
    'submitting',
    'in_doubt',
  ])
})
