import { expect, test } from 'vitest'
import { PLANTED_BUGS } from '../../support/booking/planted-bugs.ts'
import { simulate } from '../../support/booking/simulate.ts'

const RUNS_MAX = 2_000

test.each(PLANTED_BUGS)(
  'the simulation catches it when $name',
  async (planted) => {
    const { runs, failure } = await simulate({ runs: RUNS_MAX, seed: 1, planted })
    console.log(`planted: ${planted.name}: ${failure?.violations[0]?.name ?? 'not caught'} after ${runs} runs`)
    expect(failure).toBeDefined()
    expect(planted.breaks).toContain(failure?.violations[0]?.name)
  },
  180_000,
)
