import { describe, expect, test } from 'vitest'
import { PAYMENT_STATES, PAYMENT_TRANSITIONS, type PaymentState } from '../../../src/domain/payment/payment.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/lib/time/durations.ts'
import { decide } from '../../../src/payments/decide/decide.ts'
import { dueAt } from '../../../src/payments/decide/due-at.ts'
import { openOperation, type PaymentFile } from '../../../src/payments/decide/payment-file.ts'
import type { PaymentView } from '../../../src/payments/provider.ts'
import { AMOUNT, aFile, anOperation, aView, inState, money, NOW } from '../../support/payments/payment-file.ts'

const limits = { now: NOW, keyLifeMs: 23 * HOUR_MS }
const outcome = (file: PaymentFile, view: PaymentView, now = NOW) => {
  const { file: decided, isSentAgain } = decide(file, view, { ...limits, now })
  const { state, reason } = decided.payment
  const open = openOperation(decided)
  return [
    state,
    ...(open ? [`${open.kind} ${open.amount} ${open.state}`] : []),
    ...(reason ? [reason] : []),
    ...(isSentAgain ? ['again'] : []),
  ].join(', ')
}

const STATUSES = ['open', 'authorised', 'captured', 'gone', 'unknown'] as const
type Row = readonly [state: PaymentState, ...outcomes: string[]]

/** Outcome of a look at a payment without an open operation, for each status at the provider. */
const WITHOUT_OPERATION: readonly Row[] = [
  ['open', 'open', 'authorised', 'needs_review, captured_elsewhere', 'failed', 'open'],
  ['authorised', 'authorised', 'authorised', 'needs_review, captured_elsewhere', 'lapsed', 'authorised'],
  ['held', 'held', 'held', 'needs_review, captured_elsewhere', 'lapsed, lapsed', 'held'],
  [
    'capturing',
    'capturing, capture 22990 planned',
    'capturing, capture 22990 planned',
    'captured',
    'needs_review, uncollected',
    'capturing, capture 22990 planned',
  ],
  ['captured', 'captured', 'captured', 'captured', 'captured', 'captured'],
  [
    'refunding',
    'refunding, refund 17990 planned',
    'refunding, refund 17990 planned',
    'refunding, refund 17990 planned',
    'refunding, refund 17990 planned',
    'refunding, refund 17990 planned',
  ],
  [
    'voiding',
    'voiding, void 22990 planned',
    'voiding, void 22990 planned',
    'needs_review, captured_elsewhere',
    'voiding, void 22990 planned',
    'voiding, void 22990 planned',
  ],
  ['voided', 'voided', 'voided', 'voided', 'voided', 'voided'],
  ['failed', 'failed', 'failed', 'failed', 'failed', 'failed'],
  ['lapsed', 'lapsed, lapsed', 'lapsed, lapsed', 'lapsed, lapsed', 'lapsed, lapsed', 'lapsed, lapsed'],
  [
    'needs_review',
    'needs_review, uncollected',
    'needs_review, uncollected',
    'captured',
    'needs_review, uncollected',
    'needs_review, uncollected',
  ],
]

describe('a look without an open operation', () => {
  for (const [state, ...outcomes] of WITHOUT_OPERATION)
    for (const [i, status] of STATUSES.entries())
      test(`${state}, and the provider says ${status}: ${outcomes[i]}`, () => {
        expect(outcome(aFile(inState(state)), aView(status))).toBe(outcomes[i])
      })

  test('every state that has a reference is in the table', () => {
    expect(['creating', ...WITHOUT_OPERATION.map(([state]) => state)].sort()).toEqual([...PAYMENT_STATES].sort())
  })
})

const SENT: readonly (readonly [kind: 'capture' | 'void' | 'refund', state: PaymentState, ...outcomes: string[]])[] = [
  [
    'capture',
    'capturing',
    'capturing, capture 22990 sent',
    'capturing, capture 22990 sent, again',
    'captured',
    'needs_review, uncollected',
    'capturing, capture 22990 sent',
  ],
  [
    'void',
    'voiding',
    'voiding, void 22990 sent, again',
    'voiding, void 22990 sent, again',
    'needs_review, captured_elsewhere',
    'voided',
    'voiding, void 22990 sent',
  ],
]

describe('a look after an operation was sent', () => {
  for (const [kind, state, ...outcomes] of SENT)
    for (const [i, status] of STATUSES.entries())
      test(`${kind} sent, and the provider says ${status}: ${outcomes[i]}`, () => {
        expect(outcome(aFile(inState(state), anOperation({ kind })), aView(status))).toBe(outcomes[i])
      })

  const refunds = (state: 'done' | 'pending' | 'failed', operation = 'pay_1:refund:1') => ({
    refunds: [{ operation, reference: 're_1', amount: money(17_990), state }],
  })
  const refunding = () => aFile(inState('refunding'), anOperation({ kind: 'refund', amount: 17_990 }))

  test('a refund that the provider shows as done is done', () => {
    expect(outcome(refunding(), aView('captured', refunds('done')))).toBe('captured')
  })

  test('a refund that is pending is neither repeated nor finished', () => {
    expect(outcome(refunding(), aView('captured', refunds('pending')))).toBe('refunding')
    const { file } = decide(refunding(), aView('captured', refunds('pending')), limits)
    expect(file.payment.refundPending).toBe(17_990)
    expect(dueAt(file, NOW)).toBe(NOW + HOUR_MS)
  })

  test('a refund that failed needs a person', () => {
    expect(outcome(refunding(), aView('captured', refunds('failed')))).toBe('needs_review, refund_failed')
  })

  test('a refund that the provider does not list is sent again under its key', () => {
    expect(outcome(refunding(), aView('captured'))).toBe('refunding, refund 17990 sent, again')
  })

  test('a refund with another identifier is not taken for ours', () => {
    const { file } = decide(refunding(), aView('captured', refunds('done', 'pay_1:refund:9')), limits)
    expect(openOperation(file)?.state).toBe('sent')
  })

  test('a refused capture needs a person only after a look has shown that it had no effect', () => {
    const refused = anOperation({ kind: 'capture', error: 'declined' })
    expect(outcome(aFile(inState('capturing'), refused), aView('authorised'))).toBe('needs_review, uncollected')
    expect(outcome(aFile(inState('capturing'), refused), aView('captured'))).toBe('captured')
  })

  test('a capture of another amount needs a person', () => {
    const view = aView('captured', { captured: money(20_000) })
    expect(outcome(aFile(inState('capturing'), anOperation({ kind: 'capture' })), view)).toBe(
      'needs_review, amount_differs',
    )
  })

  test('if the authorisation ends while a capture is sent and nothing is owed any more, a void ends the payment', () => {
    const capturing = aFile(inState('capturing', { owed: 0 }), anOperation({ kind: 'capture' }))
    expect(outcome(capturing, aView('gone'))).toBe('voiding, void 22990 planned')
  })

  test('an operation whose key is old is never sent again: a new one is planned', () => {
    const old = { firstSentAt: NOW - 23 * HOUR_MS, lastSentAt: NOW - MINUTE_MS, attempts: 40 }
    const { file } = decide(
      aFile(inState('capturing'), anOperation({ kind: 'capture', ...old })),
      aView('authorised'),
      limits,
    )
    expect(file.operations.map(({ state, key }) => `${key} ${state}`)).toEqual([
      'pay_1:create done',
      'pay_1:capture failed',
      'pay_1:capture:2 planned',
    ])
    expect(outcome(aFile(inState('refunding'), anOperation({ kind: 'refund', ...old })), aView('captured'))).toBe(
      'refunding, refund 17990 planned',
    )
  })

  const afterMinutes = (minutes: number) => ({
    ...{ firstSentAt: NOW - minutes * MINUTE_MS, lastSentAt: NOW - MINUTE_MS, attempts: 8 },
  })

  test('a release whose key only repeats a failure gets another key after five minutes, and its hold ends', () => {
    const voiding = (minutes: number) =>
      aFile(inState('voiding'), anOperation({ kind: 'void', error: 'unavailable', ...afterMinutes(minutes) }))
    expect(outcome(voiding(4), aView('authorised'))).toBe('voiding, void 22990 sent, again')
    const { file } = decide(voiding(5), aView('authorised'), limits)
    expect(file.operations.map(({ state, key }) => `${key} ${state}`)).toEqual([
      'pay_1:create done',
      'pay_1:void failed',
      'pay_1:void:2 planned',
    ])
  })

  test('a capture that has no effect gives way to a release after five minutes if nothing is owed any more', () => {
    const capturing = (owed: number) =>
      outcome(
        aFile(inState('capturing', { owed }), anOperation({ kind: 'capture', ...afterMinutes(5) })),
        aView('authorised'),
      )
    expect(capturing(0)).toBe('voiding, void 22990 planned')
    expect(capturing(5_000)).toBe('capturing, capture 22990 sent, again')
  })

  test('a lost operation is not sent again before its wait is over', () => {
    const sent = anOperation({ kind: 'capture', attempts: 5, lastSentAt: NOW - 1_000 })
    expect(outcome(aFile(inState('capturing'), sent), aView('authorised'))).toBe('capturing, capture 22990 sent')
    expect(dueAt(aFile(inState('capturing'), sent), NOW)).toBe(NOW + 15_000)
  })
})

describe('money', () => {
  test('the same view twice adds no second entry', () => {
    const first = decide(aFile(inState('open')), aView('authorised'), limits).file
    expect(first.newEntries).toEqual([{ kind: 'authorised', amount: AMOUNT, operation: undefined, at: NOW }])
    expect(decide({ ...first, newEntries: [] }, aView('authorised'), limits).file.newEntries).toEqual([])
  })

  test('capturing less releases the rest', () => {
    const file = aFile(inState('capturing', { owed: 20_000 }), anOperation({ kind: 'capture', amount: 20_000 }))
    const { file: captured } = decide(file, aView('captured', { captured: money(20_000) }), limits)
    expect(captured.newEntries.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['captured', 20_000],
      ['released', -2_990],
    ])
    expect(captured.news).toEqual(['payment_captured'])
  })

  test('money that was captured without our order is given back, unless it is owed', () => {
    const seen = decide(aFile(inState('authorised')), aView('captured'), limits).file
    expect(seen.payment).toMatchObject({ state: 'needs_review', captured: AMOUNT, owed: 0 })
    expect(outcome({ ...seen, newEntries: [] }, aView('captured'))).toBe(
      'refunding, refund 22990 planned, captured_elsewhere',
    )
    expect(outcome(aFile(inState('held')), aView('captured'))).toBe('needs_review, captured_elsewhere')
  })

  test('a refund that comes back weeks later is not sent to the same card again', () => {
    const done = anOperation({ kind: 'refund', amount: 17_990, state: 'done' })
    const file = aFile(inState('captured', { owed: 5_000, refunded: 17_990 }), done)
    const view = aView('captured', {
      refunds: [{ operation: done.key, reference: 're_1', amount: money(17_990), state: 'failed' }],
    })
    expect(outcome(file, view)).toBe('needs_review, refund_failed')
    const { file: returned } = decide(file, view, limits)
    expect(returned.payment.refunded).toBe(0)
    expect(returned.newEntries.map(({ kind, amount }) => [kind, amount])).toEqual([['refund_returned', 17_990]])
    expect(returned.news).toContain('payment_failed')
  })

  test.each([
    ['done', { refunded: 17_990 }],
    ['pending', { refundPending: 17_990 }],
  ])('a refund that is %s is not sent again if the provider’s list lags behind its answer', (_state, amounts) => {
    const done = anOperation({ kind: 'refund', amount: 17_990, state: 'done' })
    const file = aFile(inState('refunding', { owed: 5_000, ...amounts }), done)
    const { file: decided } = decide(file, aView('captured'), limits)
    expect(openOperation(decided)).toBeUndefined()
    expect(decided.payment).toMatchObject(amounts)
    expect(decided.newEntries).toEqual([])
  })

  test('a refund in the provider’s console needs a person', () => {
    const refund = { reference: 're_9', amount: money(1_000), state: 'done' } as const
    expect(outcome(aFile(inState('captured')), aView('captured', { refunds: [refund] }))).toBe('needs_review, short')
  })

  test('a done refund is looked at after a day, a week and a month', () => {
    const done = anOperation({ kind: 'refund', amount: 17_990, state: 'done', lastSentAt: NOW })
    const fee = money(500)
    const file = aFile(inState('captured', { owed: 5_000, refunded: 17_990, fee }), done)
    expect([NOW, NOW + 2 * DAY_MS, NOW + 8 * DAY_MS, NOW + 32 * DAY_MS].map((at) => dueAt(file, at))).toEqual([
      NOW + DAY_MS,
      NOW + 7 * DAY_MS,
      NOW + 31 * DAY_MS,
      undefined,
    ])
  })

  test('a dispute is recorded, and its end too', () => {
    const disputed = { disputed: { amount: money(AMOUNT), status: 'needs_response' } }
    const { file } = decide(aFile(inState('captured')), aView('captured', disputed), limits)
    expect(file.newEntries.map(({ kind, amount }) => [kind, amount])).toEqual([['disputed', -AMOUNT]])
    expect(file.news).toEqual(['payment_disputed'])
    const { file: won } = decide({ ...file, newEntries: [], news: [] }, aView('captured'), limits)
    expect(won.newEntries.map(({ kind, amount }) => [kind, amount])).toEqual([['reinstated', AMOUNT]])
  })
})

describe('time', () => {
  test('an unclaimed payment is released when it expires', () => {
    const late = NOW + 20 * MINUTE_MS
    expect(outcome(aFile(inState('authorised')), aView('authorised'), late)).toBe('voiding, void 22990 planned')
    expect(outcome(aFile(inState('open')), aView('open'), late)).toBe('voiding, void 0 planned')
  })

  test('a claimed payment is never released by time alone', () => {
    const file = aFile(inState('held', { captureBefore: NOW + 7 * DAY_MS }))
    expect(outcome(file, aView('authorised'), NOW + 5 * DAY_MS)).toBe('held')
  })

  test('an operator is warned a day before the authorisation of an undecided booking ends', () => {
    const file = aFile(inState('held', { captureBefore: NOW + 7 * DAY_MS }))
    expect(dueAt(file, NOW)).toBe(NOW + 6 * DAY_MS)
    const warned = decide(file, aView('authorised'), { ...limits, now: NOW + 6 * DAY_MS }).file
    expect(warned.payment).toMatchObject({ state: 'held', reason: 'hold_ending' })
    expect(warned.news).toEqual(['payment_needs_review'])
    expect(
      decide({ ...warned, news: [] }, aView('authorised'), { ...limits, now: NOW + 6 * DAY_MS + 1 }).file.news,
    ).toEqual([])
  })

  test('an operator is also warned if the booking went to review before the capture was sent', () => {
    const file = aFile(inState('capturing', { isFrozen: true, captureBefore: NOW + 7 * DAY_MS }))
    expect(dueAt(file, NOW)).toBe(NOW + 6 * DAY_MS)
    const warned = decide(file, aView('authorised'), { ...limits, now: NOW + 6 * DAY_MS }).file
    expect(warned.payment).toMatchObject({ state: 'capturing', reason: 'hold_ending' })
    expect(warned.news).toEqual(['payment_needs_review'])
  })

  test('an open payment is looked at every 30 seconds', () => {
    expect(dueAt(aFile(inState('open')), NOW)).toBe(NOW + 30_000)
  })
})

describe('safety', () => {
  test('an object of another mode, currency or payment is left alone', () => {
    const foreign = [
      { isLive: true },
      { paymentId: 'pay_2' },
      { paymentId: undefined },
      { authorised: { minor: AMOUNT, currency: 'USD' } },
    ]
    for (const changed of foreign)
      expect(outcome(aFile(inState('held')), aView('authorised', changed))).toBe('needs_review, unknown_object')
  })

  test('nothing is planned while an operation is open', () => {
    const file = aFile(inState('capturing', { owed: 0 }), anOperation({ kind: 'capture' }))
    expect(decide(file, aView('authorised'), limits).file.operations).toHaveLength(2)
  })

  test('nothing new is sent while the booking is in review after it was confirmed', () => {
    for (const state of ['capturing', 'refunding'] as const)
      expect(
        openOperation(decide(aFile(inState(state, { isFrozen: true })), aView('authorised'), limits).file),
      ).toBeUndefined()
  })

  test('more than authorised is never captured', () => {
    expect(outcome(aFile(inState('capturing', { owed: AMOUNT + 1 })), aView('authorised'))).toBe(
      'needs_review, amount_differs',
    )
  })

  test('every state can be reached and only two are final', () => {
    const reached = new Set<string>(Object.values(PAYMENT_TRANSITIONS).flat())
    expect(PAYMENT_STATES.filter((state) => state !== 'creating' && !reached.has(state))).toEqual([])
    expect(PAYMENT_STATES.filter((state) => PAYMENT_TRANSITIONS[state].length === 0)).toEqual(['voided', 'failed'])
  })
})
