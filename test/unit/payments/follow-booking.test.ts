import { describe, expect, test } from 'vitest'
import type { PaymentState } from '../../../src/domain/payment/payment.ts'
import { claimFor, followBooking } from '../../../src/payments/decide/follow-booking.ts'
import { openOperation, type PaymentFile } from '../../../src/payments/decide/payment-file.ts'
import { AMOUNT, aFile, anOperation, inState, money, NOW } from '../../support/payments/payment-file.ts'

const CONFIRMED = { owed: money(AMOUNT), isFrozen: false }
const REJECTED = { owed: money(0), isFrozen: false }
const IN_REVIEW = { isFrozen: true }
const cancelled = (penalty: number) => ({ owed: money(penalty), isFrozen: false })

const describeFile = (file: PaymentFile) => {
  const open = openOperation(file)
  const { state, reason } = file.payment
  return [state, ...(open ? [`${open.kind} ${open.amount} ${open.state}`] : []), ...(reason ? [reason] : [])].join(', ')
}

const capturing = (state: 'planned' | 'sent') => aFile(inState('capturing'), anOperation({ kind: 'capture', state }))

const MOVES: readonly (readonly [string, PaymentFile, Parameters<typeof followBooking>[1], string])[] = [
  ['held, confirmed', aFile(inState('held')), CONFIRMED, 'capturing, capture 22990 planned'],
  ['held, confirmed at a lower price', aFile(inState('held')), cancelled(20_000), 'capturing, capture 20000 planned'],
  ['held, rejected', aFile(inState('held')), REJECTED, 'voiding, void 22990 planned'],
  ['held, cancelled by an operator', aFile(inState('held')), cancelled(0), 'voiding, void 22990 planned'],
  [
    'held, confirmed above what was authorised',
    aFile(inState('held')),
    cancelled(AMOUNT + 1),
    'needs_review, amount_differs',
  ],
  [
    'warned, confirmed',
    aFile(inState('held', { reason: 'hold_ending' })),
    CONFIRMED,
    'capturing, capture 22990 planned',
  ],
  ['lapsed, confirmed', aFile(inState('lapsed')), CONFIRMED, 'needs_review, uncollected'],
  ['lapsed, rejected', aFile(inState('lapsed')), REJECTED, 'voided'],
  ['capture planned, cancelled free', capturing('planned'), cancelled(0), 'voiding, void 22990 planned'],
  ['capture planned, cancelled with a fee', capturing('planned'), cancelled(5_000), 'capturing, capture 5000 planned'],
  ['capture planned, to review', capturing('planned'), IN_REVIEW, 'capturing'],
  ['capture sent, cancelled free', capturing('sent'), cancelled(0), 'capturing, capture 22990 sent'],
  ['capture sent, to review', capturing('sent'), IN_REVIEW, 'capturing, capture 22990 sent'],
  ['captured, cancelled free', aFile(inState('captured')), cancelled(0), 'refunding, refund 22990 planned'],
  ['captured, cancelled with a fee', aFile(inState('captured')), cancelled(5_000), 'refunding, refund 17990 planned'],
  ['captured, cancelled at full price', aFile(inState('captured')), cancelled(AMOUNT), 'captured'],
  [
    'captured, cancelled by the vendor',
    aFile(inState('captured')),
    { ...cancelled(0), hasVendorFee: true },
    'refunding, refund 22990 planned, vendor_fee',
  ],
  ['captured, to review', aFile(inState('captured')), IN_REVIEW, 'captured'],
  [
    'captured, cancelled with a fee in another currency',
    aFile(inState('captured')),
    { owed: { minor: 1, currency: 'USD' }, isFrozen: false },
    'needs_review, unknown_fee',
  ],
  [
    'uncollected, cancelled free',
    aFile(inState('needs_review')),
    cancelled(0),
    'voiding, void 22990 planned, uncollected',
  ],
  ['uncollected, cancelled with a fee', aFile(inState('needs_review')), cancelled(5_000), 'needs_review, uncollected'],
  [
    'captured elsewhere, rejected',
    aFile(inState('needs_review', { captured: AMOUNT, owed: undefined, reason: 'captured_elsewhere' })),
    REJECTED,
    'refunding, refund 22990 planned, captured_elsewhere',
  ],
]

describe('a move of the booking', () => {
  test('refunds an amount that the card can be charged, in favour of the guest', () => {
    const payment = { currency: 'KWD', authorised: 22_990, captured: 22_990, owed: 22_990 }
    const due = { owed: { minor: 5_678, currency: 'KWD' }, isFrozen: false }
    const followed = followBooking(aFile(inState('captured', payment)), due, NOW)
    expect(openOperation(followed)).toMatchObject({ kind: 'refund', amount: 22_990 - 5_670 })
    expect(followed.payment.owed).toBe(5_670)
  })

  test('leaves a payment alone that an operator has settled in another way', () => {
    const voided = aFile(inState('voided'))
    expect(followBooking(voided, CONFIRMED, NOW)).toBe(voided)
  })

  test.each(MOVES)('%s', (_name, file, due, expected) => {
    expect(describeFile(followBooking(file, due, NOW))).toBe(expected)
  })

  test('that changes nothing owed leaves the planned request alone', () => {
    const file = capturing('planned')
    expect(followBooking(file, CONFIRMED, NOW)).toBe(file)
  })

  test('out of review continues what was held back, under a new key', () => {
    const frozen = followBooking(capturing('planned'), IN_REVIEW, NOW)
    const { operations } = followBooking(frozen, CONFIRMED, NOW)
    expect(operations.map(({ key, state }) => `${key} ${state}`)).toEqual([
      'pay_1:create done',
      'pay_1:capture withdrawn',
      'pay_1:capture:2 planned',
    ])
  })

  test('never asks again for what operators gave back', () => {
    const goodwill = aFile(inState('captured', { goodwill: 5_000, refunded: 5_000, owed: AMOUNT - 5_000 }))
    expect(describeFile(followBooking(goodwill, cancelled(AMOUNT), NOW))).toBe('captured')
    expect(describeFile(followBooking(goodwill, cancelled(10_000), NOW))).toBe('refunding, refund 7990 planned')
  })
})

test('only an authorised payment can be claimed', () => {
  expect(claimFor(aFile(inState('authorised')), 'bkg_1', NOW).payment).toMatchObject({
    state: 'held',
    bookingId: 'bkg_1',
  })
  for (const state of ['open', 'held', 'voiding', 'voided', 'captured', 'failed'] satisfies PaymentState[])
    expect(() => claimFor(aFile(inState(state)), 'bkg_2', NOW)).toThrow('cannot be claimed')
})
