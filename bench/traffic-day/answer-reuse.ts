import { exponential, type Random } from './random.ts'

/** Where a search's answer came from: this process's memory, Redis, or the vendors. */
export type Origin = 'own' | 'shared' | 'asked'

export type Reuse = {
  readonly ownS: number
  /** 0 where there is no Redis. */
  readonly sharedS: number
  readonly processes: number
  /** How long the vendors take; who comes meanwhile waits for the same answer. */
  readonly latencyS: number
}

/** What was asked and kept before; times in seconds. */
export type Kept = { sharedUntil: number; readonly ownUntil: Map<number, number> }

export const nothingKept = (): Kept => ({ sharedUntil: Number.NEGATIVE_INFINITY, ownUntil: new Map() })

/** One search at `at` in one process: where its answer comes from, and what is kept of it. */
export function askAt(kept: Kept, at: number, process: number, reuse: Reuse): Origin {
  if ((kept.ownUntil.get(process) ?? Number.NEGATIVE_INFINITY) > at) return 'own'
  if (kept.sharedUntil > at) {
    kept.ownUntil.set(process, at + reuse.ownS)
    return 'shared'
  }
  const answeredAt = at + reuse.latencyS
  kept.ownUntil.set(process, answeredAt + reuse.ownS)
  if (reuse.sharedS > 0) kept.sharedUntil = answeredAt + reuse.sharedS
  return 'asked'
}

/** Past this many periods the empty beginning shifts the share by less than 0.2 %; after three it is still 0.6 %. */
const PERIODS = 6

/**
 * Where a search that happens now finds its answer, by playing all earlier searches for the same question one by one.
 * A whole day at 100,000 a second cannot be played; but arrivals are independent, so a random search sees what any
 * search sees, and only its own question's past matters. That past is short: some life times of an answer.
 */
export function originOfOne(
  random: Random,
  ratePerSecond: number,
  reuse: Reuse,
  own: { readonly askedBeforeS: number | undefined },
): Origin {
  const kept = nothingKept()
  const processOf = () => Math.floor(random() * reuse.processes)
  const period = reuse.ownS + reuse.sharedS + reuse.latencyS
  // Beginning at a random moment of a period: otherwise a question that is always asked would always be seen at its renewal.
  const past = -(PERIODS + random()) * period
  const earlier = own.askedBeforeS === undefined || own.askedBeforeS <= 0 ? undefined : -own.askedBeforeS
  let isPlayed = earlier === undefined || earlier < past
  const playOwn = (before: number) => {
    if (isPlayed || earlier === undefined || earlier > before) return
    askAt(kept, earlier, processOf(), reuse)
    isPlayed = true
  }
  if (ratePerSecond > 0) {
    for (let at = past + exponential(random, ratePerSecond); at < 0; at += exponential(random, ratePerSecond)) {
      playOwn(at)
      askAt(kept, at, processOf(), reuse)
    }
  }
  playOwn(0)
  return askAt(kept, 0, processOf(), reuse)
}
