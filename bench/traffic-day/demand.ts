import type { Figures } from './assumptions.ts'
import { type Random, weighted, zipf } from './random.ts'

/** What one search asks for, as far as machines care. */
export type Search = {
  /** Which share of all searches asks exactly this; 0 for a question nobody shares. */
  readonly share: number
  readonly properties: number
  readonly rooms: number
  readonly nights: number
}

export type Demand = { draw(random: Random): Search }

const NIGHTS = [0, 0.3, 0.27, 0.17, 0.08, 0.05, 0.02, 0.07, 0.01, 0.005, 0.015, 0, 0, 0, 0.01]
/** Two adults, one, two with a child, two with two, three, two rooms of two. */
const PARTIES = [
  { weight: 0.58, rooms: 1 },
  { weight: 0.2, rooms: 1 },
  { weight: 0.07, rooms: 1 },
  { weight: 0.05, rooms: 1 },
  { weight: 0.05, rooms: 1 },
  { weight: 0.05, rooms: 2 },
]
/** How far ahead people look: often soon, seldom beyond a year. */
const DAYS_AHEAD = 500
const SOON = 12
const FRIDAY_TWICE = [1, 1, 1, 1, 2, 1.6, 0.8]

const GREATEST = 1_600

/** Properties in the n-th most popular place; the great cities have more than are asked for. */
export function propertiesAt(rank: number, most: number): number {
  return Math.max(6, Math.min(most, Math.round(GREATEST / (1 + rank / 40) ** 0.75)))
}

/** Place, date, nights, guests and market are drawn independently; a question's share is the product of theirs. */
export function createDemand(figures: Figures): Demand {
  const places = zipf(figures.destinations, figures.destinationSkew)
  const days = weighted(
    Array.from({ length: DAYS_AHEAD }, (_, day) => (FRIDAY_TWICE[day % 7] ?? 1) / (1 + day / SOON) ** 1.6),
  )
  const nights = weighted(NIGHTS)
  const parties = weighted(PARTIES.map(({ weight }) => weight))
  const markets = zipf(figures.markets, figures.marketSkew)
  return {
    draw(random) {
      const place = places.draw(random)
      const day = days.draw(random)
      const stay = nights.draw(random)
      const party = parties.draw(random)
      const market = markets.draw(random)
      const isOwn = random() < figures.ownRadiusShare
      const share =
        places.shareOf(place) *
        days.shareOf(day) *
        nights.shareOf(stay) *
        parties.shareOf(party) *
        markets.shareOf(market)
      return {
        share: isOwn ? 0 : share * (1 - figures.ownRadiusShare),
        properties: propertiesAt(place, figures.candidatesMax),
        rooms: PARTIES[party]?.rooms ?? 1,
        nights: stay,
      }
    },
  }
}
