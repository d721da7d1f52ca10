import { createRandom } from '../../sandbox/world/hash.ts'
import { DEFAULT_FIGURES, type Figures, HOURS, VENDORS, type VendorModel } from './assumptions.ts'
import { createDemand } from './demand.ts'
import { type DayNeeds, dayOf, needsOf } from './machines.ts'
import { type Day, type HourSample, playHour, rateAt } from './play-day.ts'

export type Options = {
  readonly peakPerSecond: number
  readonly seed?: number
  /** Searches played in each hour; each stands for its share of all. */
  readonly sampled?: number
  readonly figures?: Figures
  readonly vendors?: readonly VendorModel[]
  readonly hasRedis?: boolean
}

export type Played = { readonly samples: readonly HourSample[]; readonly needs: DayNeeds; readonly processes: number }

const SAMPLED = 8_000
/** The first round only finds out how many processes there will be. */
const FIRST_ROUND_SHARE = 0.2
const FIRST_GUESS_MS = 40

/** Plays the day twice: how many processes there are decides what each finds in its own memory, and the other way round. */
export function simulate(options: Options): Played {
  const { peakPerSecond, seed = 1, sampled = SAMPLED, figures = DEFAULT_FIGURES, vendors = VENDORS } = options
  const hasRedis = options.hasRedis ?? true
  const demand = createDemand(figures)
  const guess = Math.ceil((peakPerSecond * FIRST_GUESS_MS) / 1_000 / figures.utilisation)
  let processes = Math.max(2, guess)
  let played: Played | undefined
  for (let round = 0; round < 2; round += 1) {
    const day: Day = { peakPerSecond, processes, figures, vendors, hasRedis }
    const random = createRandom(seed).next
    const searches = Math.ceil(sampled * (round === 0 ? FIRST_ROUND_SHARE : 1))
    const samples = HOURS.map((_, hour) => playHour(random, hour, searches, day, demand))
    const hours = samples.map((sample) => {
      const busiest = Math.max(rateAt(peakPerSecond, sample.hour), rateAt(peakPerSecond, sample.hour + 1))
      return needsOf(sample, busiest, figures, vendors, hasRedis)
    })
    played = { samples, needs: dayOf(hours, samples, figures), processes }
    processes = played.needs.peak.nodes.count * figures.nodeCores
  }
  if (played === undefined) throw new Error('no round was played')
  return played
}
