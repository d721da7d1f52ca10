import { expect, test } from 'vitest'
import { PLANTED_CLAIM_BUGS } from '../../chaos/simulation/payments/planted-claim-bugs.ts'
import { PLANTED_PAYMENT_BUGS } from '../../chaos/simulation/payments/planted-payment-bugs.ts'
import { PLANTED_BUDGET_BUGS } from '../../chaos/simulation/planted-budget-bugs.ts'
import { PLANTED_BUGS } from '../../chaos/simulation/planted-bugs.ts'
import { PLANTED_LOSS_BUGS } from '../../chaos/simulation/planted-loss-bugs.ts'
import { PLANTED_READING_BUGS } from '../../chaos/simulation/planted-reading-bugs.ts'
import { simulate } from '../../chaos/simulation/simulate.ts'

const RUNS_MAX = 2_000
/** Seeds that show a bug within their first worlds; with seed 1 it takes up to hundreds. An outdated one only takes longer. */
const QUICK_SEEDS = new Map([
  ['the intent is written after the call', 2],
  ['a state is read, then written without comparing', 46],
  ['a booking the vendor does not know yet is sent again', 13],
  ['a lookup at the vendor is served from a cache', 67],
  ['a cancellation without an answer did not happen', 42],
  ['only the total is compared', 2],
  ['the board is not compared', 10],
  ['a higher price is accepted without asking', 3],
  ['an interrupted reading is not repeated', 4],
  ['a booking cancelled by the vendor is mistaken for a confirmed one', 11],
  ['only the first difference of a kind is recorded', 129],
  ['a lost capture is sent again under a new key', 27],
  ['the payment is looked at before the intent is written, not claimed with it', 67],
  ['a capture takes what was authorised, although less is due', 35],
  ['a cancelled booking is refunded without its fee', 9],
  ['a cancelled booking is refunded up to the fee of the vendor', 9],
  ['a booking is refunded when its cancellation is requested', 3],
  ['a pending refund counts as failed', 101],
  ['a 500 that is repeated under its key means that the request was refused', 57],
  ['keys are used for ever', 45],
  ['an authorisation that lapsed counts as captured', 3],
  ['a capture that was planned is still sent for a cancelled booking', 9],
  ['the end of an authorisation is assumed, although the provider tells it', 95],
  ['a simulated payment pays a real booking', 6],
  ['a capture is sent once more under a new key, to be sure that it arrived', 12],
  ['a payment that a booking has claimed pays for another one too', 3],
  ['a payment of another account is taken', 15],
  ['a capture that was ordered is shown as done', 29],
  ['a real payment pays a simulated booking', 6],
  ['a booking costs what the guest authorised, and not what it was sold for', 26],
])

const ALL = [
  ...PLANTED_BUGS,
  ...PLANTED_READING_BUGS,
  ...PLANTED_BUDGET_BUGS,
  ...PLANTED_LOSS_BUGS,
  ...PLANTED_PAYMENT_BUGS,
  ...PLANTED_CLAIM_BUGS,
]

test.each(ALL)(
  'the simulation finds the planted bug: $name',
  async (planted) => {
    const { runs, failure } = await simulate({ runs: RUNS_MAX, seed: QUICK_SEEDS.get(planted.name) ?? 1, planted })
    const [location = ''] = failure?.message.split('\n') ?? []
    const caught = failure?.violations[0]?.name ?? 'not caught'
    console.log(`planted: ${planted.name}: ${caught} after ${runs} runs (${location})`)
    expect(failure).toBeDefined()
    expect(planted.breaks).toContain(failure?.violations[0]?.name)
  },
  180_000,
)
