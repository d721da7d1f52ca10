import type { Occupancy } from '../../../src/domain/stay.ts'
import type { PlainDate } from '../../../src/lib/time/plain-date.ts'
import type { StandInParts } from '../../server/stand-in.ts'
import { listNights, todayIn } from '../../server/stay-dates.ts'
import type { Tokens } from '../../server/tokens.ts'
import type { Worsening } from '../../server/worse-terms.ts'
import type { VendorView, WorldProperty, WorldRate } from '../../world/contract.ts'
import { hash, hashShare, hashText } from '../../world/hash.ts'
import { convertMinor } from '../../world/prices/exchange.ts'

export type ShopParts = StandInParts & { readonly tokens: Tokens }

export type RatesQuery = {
  readonly checkIn: PlainDate
  readonly checkOut: PlainDate
  readonly parties: readonly Occupancy[]
  readonly currency: string
  /** Margin of the account, in percent of the net price. */
  readonly margin: number
}

/** Content of an offer id. The id itself contains it, so nothing is stored. */
export type OfferFacts = RatesQuery & {
  readonly hotel: number
  readonly rooms: readonly number[]
  readonly plan: string
  readonly isPackage: boolean
  /** Above 1 after a price increase. */
  readonly raise: number
  /** Term that became worse at the prebook. */
  readonly worse?: Worsening
}

/** One room of an offer; amounts in minor units of the requested currency. */
export type PricedRoom = {
  readonly rate: WorldRate
  readonly party: Occupancy
  readonly net: number
  readonly commission: number
  readonly includedTax: number
  /** Amount payable at the property instead of now. */
  readonly moved: number
  /** Difference to the undiscounted price. */
  readonly saved: number
}

export type PricedOffer = {
  readonly property: WorldProperty
  readonly view: VendorView
  readonly plan: string
  readonly isPackage: boolean
  readonly rooms: readonly PricedRoom[]
}

export const retailPrice = ({ net, commission }: PricedRoom): number => net + commission
export const totalPrice = ({ rooms }: PricedOffer): number => rooms.reduce((sum, room) => sum + retailPrice(room), 0)

/** Offers for the whole party, for every room of a property that is available in sufficient number. */
export function priceOffers(
  shop: ShopParts,
  property: WorldProperty,
  query: RatesQuery & { readonly raise?: number; readonly worse?: Worsening },
  now: number,
  isWanted: (rate: WorldRate) => boolean = () => true,
): PricedOffer[] {
  const view = shop.world.view(property)
  if (view === undefined) return []
  const { checkIn, checkOut, parties } = query
  const today = todayIn(property.place.timezone, now)
  const choices = parties.map((party) => shop.world.rates(property, checkIn, checkOut, party, today).filter(isWanted))
  const nights = listNights(query)
  const left = new Map(property.rooms.map((room) => [room.number, shop.allotment.left(property.key, room, nights)]))
  const sets = [...combineSameRooms(choices), ...combineCheapest(choices)].filter((rates) => areAvailable(rates, left))
  return sets.flatMap((rates) => createOffers(shop, property, view, query, rates))
}

function createOffers(
  { settings }: ShopParts,
  property: WorldProperty,
  view: VendorView,
  query: RatesQuery & { readonly raise?: number; readonly worse?: Worsening },
  rates: readonly WorldRate[],
): PricedOffer[] {
  const [first] = rates
  if (first === undefined) return []
  const price = (factor: number) =>
    rates.map((rate, index) => priceRoom(rate, query.parties[index] ?? { adults: 1, childrenAges: [] }, query, factor))
  const factor = view.priceFactor * (query.raise ?? 1)
  const standard = { property, view, plan: first.plan, isPackage: false, rooms: price(factor) }
  const draw = hashShare(hash(property.key, first.room.number, hashText(first.plan)), 63)
  // Cheaper, and may be sold only inside a package.
  const packaged = { ...standard, isPackage: true, rooms: price(factor * 0.88) }
  return draw < settings.packaging ? [packaged, standard] : [standard]
}

/** Every room type and plan that is available to all parties. */
function combineSameRooms(choices: readonly WorldRate[][]): WorldRate[][] {
  const [first = [], ...others] = choices
  return first.flatMap((rate) => {
    const same = others.map((rates) =>
      rates.find(({ room, plan }) => room.number === rate.room.number && plan === rate.plan),
    )
    const all = [rate, ...same.filter((other) => other !== undefined)]
    return all.length === choices.length ? [all] : []
  })
}

/** For different parties, the cheapest room of each under one plan. */
function combineCheapest(choices: readonly WorldRate[][]): WorldRate[][] {
  if (choices.length < 2) return []
  const plans = new Set(choices[0]?.map(({ plan }) => plan))
  return [...plans].flatMap((plan) => {
    const cheapest = choices.flatMap((rates) => {
      const [best] = rates.filter((rate) => rate.plan === plan).sort((a, b) => sumRate(a) - sumRate(b))
      return best ?? []
    })
    const kinds = new Set(cheapest.map(({ room }) => room.number))
    return cheapest.length === choices.length && kinds.size > 1 ? [cheapest] : []
  })
}

const sumRate = ({ nightlyMinor, taxMinor }: WorldRate) => nightlyMinor.reduce((sum, minor) => sum + minor, taxMinor)

function areAvailable(rates: readonly WorldRate[], left: ReadonlyMap<number, number>): boolean {
  return rates.every(
    ({ room }) => rates.filter((other) => other.room.number === room.number).length <= (left.get(room.number) ?? 0),
  )
}

function priceRoom(
  rate: WorldRate,
  party: Occupancy,
  { currency, margin, worse }: RatesQuery & { readonly worse?: Worsening },
  factor: number,
): PricedRoom {
  const inRequested = (minor: number) => convertMinor(Math.round(minor * factor), rate.currency, currency)
  const full = Math.max(1, inRequested(sumRate(rate)))
  const moved = worse === 'fees' ? Math.round(full / 20) : 0
  const before = rate.nightlyBeforeMinor?.reduce((sum, minor) => sum + minor, rate.taxMinor)
  return {
    rate,
    party,
    net: full - moved,
    moved,
    commission: Math.round((full * margin) / 100),
    includedTax: inRequested(rate.taxMinor),
    saved: before === undefined ? 0 : Math.max(0, inRequested(before) - full),
  }
}

/** Current state of an offer id; undefined if it is sold out. */
export function findOffer(shop: ShopParts, facts: OfferFacts, now: number): PricedOffer | undefined {
  const property = shop.world.byVendorId(facts.hotel)
  if (property === undefined) return undefined
  return priceOffers(shop, property, facts, now).find(
    ({ plan, isPackage, rooms }) =>
      plan === facts.plan &&
      isPackage === facts.isPackage &&
      rooms.map(({ rate }) => rate.room.number).join() === facts.rooms.join(),
  )
}
