import { expect, test } from 'vitest'
import { simulate } from '../../chaos/simulation/simulate.ts'
import { PAYMENT_STATES, PAYMENT_TRANSITIONS } from '../../src/domain/payment/payment.ts'

/** Run other or more worlds with `SIMULATION_SEED=7 SIMULATION_RUNS=20000 npx vitest run --project campaigns payments-simulation`. */
const seed = Number(process.env.SIMULATION_SEED ?? Math.floor(Math.random() * 2 ** 31))
const runs = Number(process.env.SIMULATION_RUNS ?? 300)

/** Steps that a few hundred worlds take; the others need an operator or several rare faults. */
const USUAL = [
  'creating → open',
  'creating → failed',
  'open → authorised',
  'open → voiding',
  'authorised → held',
  'authorised → voiding',
  'held → capturing',
  'held → voiding',
  'capturing → captured',
  'captured → refunding',
  'refunding → captured',
  'voiding → voided',
]

test(`no payment is lost, doubled, captured without a room or left behind in ${runs} worlds of faults (seed ${seed})`, async () => {
  const taken = new Set<string>()
  const play = (worlds: number, worldSeed: number) =>
    simulate({
      runs: worlds,
      seed: worldSeed,
      shrink: true,
      cards: true,
      onRun: ({ cards }) => {
        for (const { from, to } of cards?.commits.moves ?? []) taken.add(`${from} → ${to}`)
      },
    })
  const started = performance.now()
  const result = await play(runs, seed)
  const perSecond = Math.round((result.runs / (performance.now() - started)) * 1000)
  console.log(`simulation with payments: ${result.runs} runs, ${perSecond} a second, seed ${seed}`)
  expect(result.failure?.message).toBeUndefined()
  // A simulation that makes no progress would pass trivially. If few worlds miss a step, more are run.
  const missing = () => USUAL.filter((move) => !taken.has(move))
  for (let more = 1; more <= 10 && missing().length > 0; more += 1) {
    expect((await play(100, seed + more)).failure?.message).toBeUndefined()
  }
  expect(missing()).toEqual([])
}, 600_000)

test('the usual steps are steps of the state machine', () => {
  const all = PAYMENT_STATES.flatMap((from) => PAYMENT_TRANSITIONS[from].map((to) => `${from} → ${to}`))
  expect(all).toEqual(expect.arrayContaining(USUAL))
})

test('the same seed plays the same worlds', async () => {
  const play = async () => {
    const log: string[] = []
    await simulate({ runs: 20, seed: 11, cards: true, onRun: (history) => log.push(...history.log) })
    return log
  }
  const first = await play()
  expect(first.length).toBeGreaterThan(200)
  expect(await play()).toEqual(first)
}, 120_000)
