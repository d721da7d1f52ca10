import { expect, test } from 'vitest'
import { PLANTED_CLAIM_BUGS } from '../../chaos/simulation/payments/planted-claim-bugs.ts'
import { PLANTED_PAYMENT_BUGS } from '../../chaos/simulation/payments/planted-payment-bugs.ts'
import { PLANTED_BUDGET_BUGS } from '../../chaos/simulation/planted-budget-bugs.ts'
import { PLANTED_BUGS } from '../../chaos/simulation/planted-bugs.ts'
import { PLANTED_LOSS_BUGS } from '../../chaos/simulation/planted-loss-bugs.ts'
import { PLANTED_READING_BUGS } from '../../chaos/simulation/planted-reading-bugs.ts'
import { simulate } from '../../chaos/simulation/simulate.ts'

const RUNS_MAX = 2_000

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
    const { runs, failure } = await simulate({ runs: RUNS_MAX, seed: 1, planted })
    const [location = ''] = failure?.message.split('\n') ?? []
    const caught = failure?.violations[0]?.name ?? 'not caught'
    console.log(`planted: ${planted.name}: ${caught} after ${runs} runs (${location})`)
    expect(failure).toBeDefined()
    expect(planted.breaks).toContain(failure?.violations[0]?.name)
  },
  180_000,
)
