import { expect, test } from 'vitest'
import { simulate } from '../../../chaos/simulation/simulate.ts'
import { BOOKING_STATES, type BookingState, TRANSITIONS } from '../../../src/domain/booking/booking.ts'

/** Run other or more worlds with `SIMULATION_SEED=7 SIMULATION_RUNS=50000 npx vitest run --project unit simulation`. */
const seed = Number(process.env.SIMULATION_SEED ?? Math.floor(Math.random() * 2 ** 31))
const runs = Number(process.env.SIMULATION_RUNS ?? 300)
const lossyRuns = Number(process.env.SIMULATION_RUNS ?? 100)
/** Enough worlds for the rarest steps. */
const isCampaign = runs >= 1_000

/** States that only operators resolve. */
const BY_HAND: readonly BookingState[] = ['needs_review']
const POSSIBLE = BOOKING_STATES.filter((from) => !BY_HAND.includes(from)).flatMap((from) =>
  TRANSITIONS[from].map((to) => `${from} → ${to}`),
)
/** Steps that fewer than one of a hundred worlds takes. */
const RARE = [
  'cancelling → confirmed',
  'cancelling → needs_review',
  'needs_review → confirmed',
  'needs_review → cancelled',
]
const EXPECTED = isCampaign ? POSSIBLE : POSSIBLE.filter((move) => !RARE.includes(move))

test(`no booking is doubled, lost, orphaned, made up or stuck in ${runs} worlds of faults (seed ${seed})`, async () => {
  const taken = new Map<string, number>()
  const started = performance.now()
  const result = await simulate({ runs, seed, shrink: true, onRun: ({ moves }) => moves.forEach(count(taken)) })
  const perSecond = Math.round((result.runs / (performance.now() - started)) * 1000)
  console.log(`simulation: ${result.runs} runs, ${perSecond} a second, seed ${seed}`)
  expect(result.failure?.message).toBeUndefined()

  // A simulation that makes no progress would pass trivially. If few worlds miss a step (the rarest is in one of a thousand), more are run.
  const missing = () => EXPECTED.filter((move) => !taken.has(move))
  for (let more = 1; more <= 80 && missing().length > 0; more += 1) {
    const { failure } = await simulate({
      runs: 250,
      seed: seed + more,
      onRun: ({ moves }) => moves.forEach(count(taken)),
    })
    expect(failure?.message).toBeUndefined()
  }
  expect(missing()).toEqual([])
}, 600_000)

test(`after lost commits, clients that repeat their requests double and lose nothing in ${lossyRuns} worlds (seed ${seed})`, async () => {
  let lost = 0
  const onRun = ({ log }: { readonly log: readonly string[] }) => {
    if (log.some((line) => /loses [1-9]/.test(line))) lost += 1
  }
  const result = await simulate({ runs: lossyRuns, seed, shrink: true, losesCommits: true, onRun })
  expect(result.failure?.message).toBeUndefined()
  expect(lost).toBeGreaterThan(lossyRuns / 4)
}, 600_000)

const count = (counts: Map<string, number>) => (move: string) => {
  counts.set(move, (counts.get(move) ?? 0) + 1)
}

test('the same seed plays the same worlds', async () => {
  const play = async () => {
    const moves: string[] = []
    await simulate({ runs: 40, seed: 11, onRun: (history) => moves.push(...history.log) })
    return moves
  }
  const first = await play()
  expect(first.length).toBeGreaterThan(200)
  expect(await play()).toEqual(first)
}, 60_000)
