import type { Occupancy } from '../../../src/domain/stay.ts'
import type { PlainDate } from '../../../src/lib/time/plain-date.ts'
import type { StandInParts } from '../../server/stand-in.ts'
import { listNights, todayIn } from '../../server/stay-dates.ts'
import type { Tokens } from '../../server/tokens.ts'
import type { Worsening } from '../../server/worse-terms.ts'
import type { VendorView, WorldProperty, WorldRate } from '../../world/contract.ts'
import { hash, hashText, hashShare } from '../../world/hash.ts'
import { convertMinor } from '../../world/prices/exchange.ts'

export type ShopParts = StandInParts & { readonly tokens: Tokens }

export type Question = {
  readonly checkIn: PlainDate
  readonly checkOut: PlainDate
  readonly parties: readonly Occupancy[]
  readonly currency: string
  /** What the account earns, in percent of the net price. */
  readonly margin: number
}

/** Everything an offer id stands for; the id itself carries it, so nothing is stored. */
export type OfferFacts = Question & {
  readonly hotel: number
  readonly rooms: readonly number[]
  readonly plan: string
  readonly isPackage: boolean
  /** Above 1 once the price was raised. */
  readonly raise: number
  /** What became worse when it was checked. */
  readonly worse?: Worsening
}

/** One room of an offer; amounts in minor units of the asked currency. */
export type PricedRoom = {
  readonly rate: WorldRate
  readonly party: Occupancy
  readonly net: number
  readonly commission: number
  readonly includedTax: number
  /** What is to be paid at the property instead of now. */
  readonly moved: number
  /** What the undiscounted price would be more. */
  readonly saved: number
}

export type PricedOffer = {
  readonly property: WorldProperty
  readonly view: VendorView
  readonly plan: string
  readonly isPackage: boolean
  readonly rooms: readonly PricedRoom[]
}

export const retailOf = ({ net, commission }: PricedRoom): number => net + commission
export const totalOf = ({ rooms }: PricedOffer): number => rooms.reduce((sum, room) => sum + retailOf(room), 0)

/** The vendor's own price for each room of a property that still has enough of them, as one offer for the whole party. */
export function pricedOffers(
  shop: ShopParts,
  property: WorldProperty,
  question: Question & { readonly raise?: number; readonly worse?: Worsening },
  now: number,
  isWanted: (rate: WorldRate) => boolean = () => true,
): PricedOffer[] {
  const view = shop.world.view(property)
  if (view === undefined) return []
  const { checkIn, checkOut, parties } = question
  const today = todayIn(property.place.timezone, now)
  const choices = parties.map((party) => shop.world.rates(property, checkIn, checkOut, party, today).filter(isWanted))
  const nights = listNights(question)
  const left = new Map(property.rooms.map((room) => [room.number, shop.allotment.left(property.key, room, nights)]))
  const sets = [...sameRoom(choices), ...mixed(choices)].filter((rates) => isLeft(rates, left))
  return sets.flatMap((rates) => offersFor(shop, property, view, question, rates))
}

function offersFor(
  { settings }: ShopParts,
  property: WorldProperty,
  view: VendorView,
  question: Question & { readonly raise?: number; readonly worse?: Worsening },
  rates: readonly WorldRate[],
): PricedOffer[] {
  const [first] = rates
  if (first === undefined) return []
  const price = (factor: number) =>
    rates.map((rate, at) => priceRoom(rate, question.parties[at] ?? { adults: 1, childrenAges: [] }, question, factor))
  const factor = view.priceFactor * (question.raise ?? 1)
  const standard = { property, view, plan: first.plan, isPackage: false, rooms: price(factor) }
  const draw = hashShare(hash(property.key, first.room.number, hashText(first.plan)), 63)
  // Cheaper, and may be sold only inside a package.
  const packaged = { ...standard, isPackage: true, rooms: price(factor * 0.88) }
  return draw < settings.packaging ? [packaged, standard] : [standard]
}

/** Every room type and plan that all parties can have. */
function sameRoom(choices: readonly WorldRate[][]): WorldRate[][] {
  const [first = [], ...others] = choices
  return first.flatMap((rate) => {
    const same = others.map((rates) =>
      rates.find(({ room, plan }) => room.number === rate.room.number && plan === rate.plan),
    )
    const all = [rate, ...same.filter((other) => other !== undefined)]
    return all.length === choices.length ? [all] : []
  })
}

/** For parties that differ, the cheapest room of each under one plan. */
function mixed(choices: readonly WorldRate[][]): WorldRate[][] {
  if (choices.length < 2) return []
  const plans = new Set(choices[0]?.map(({ plan }) => plan))
  return [...plans].flatMap((plan) => {
    const cheapest = choices.flatMap((rates) => {
      const [best] = rates.filter((rate) => rate.plan === plan).sort((a, b) => sumOf(a) - sumOf(b))
      return best ?? []
    })
    const kinds = new Set(cheapest.map(({ room }) => room.number))
    return cheapest.length === choices.length && kinds.size > 1 ? [cheapest] : []
  })
}

const sumOf = ({ nightlyMinor, taxMinor }: WorldRate) => nightlyMinor.reduce((sum, minor) => sum + minor, taxMinor)

function isLeft(rates: readonly WorldRate[], left: ReadonlyMap<number, number>): boolean {
  return rates.every(
    ({ room }) => rates.filter((other) => other.room.number === room.number).length <= (left.get(room.number) ?? 0),
  )
}

function priceRoom(
  rate: WorldRate,
  party: Occupancy,
  { currency, margin, worse }: Question & { readonly worse?: Worsening },
  factor: number,
): PricedRoom {
  const inAsked = (minor: number) => convertMinor(Math.round(minor * factor), rate.currency, currency)
  const whole = Math.max(1, inAsked(sumOf(rate)))
  const moved = worse === 'fees' ? Math.round(whole / 20) : 0
  const before = rate.nightlyBeforeMinor?.reduce((sum, minor) => sum + minor, rate.taxMinor)
  return {
    rate,
    party,
    net: whole - moved,
    moved,
    commission: Math.round((whole * margin) / 100),
    includedTax: inAsked(rate.taxMinor),
    saved: before === undefined ? 0 : Math.max(0, inAsked(before) - whole),
  }
}

/** What an offer id leads to now; undefined when there is none left. */
export function offerOf(shop: ShopParts, facts: OfferFacts, now: number): PricedOffer | undefined {
  const property = shop.world.byVendorId(facts.hotel)
  if (property === undefined) return undefined
  return pricedOffers(shop, property, facts, now).find(
    ({ plan, isPackage, rooms }) =>
      plan === facts.plan &&
      isPackage === facts.isPackage &&
      rooms.map(({ rate }) => rate.room.number).join() === facts.rooms.join(),
  )
}
