import type { Clock } from '../../lib/clock.ts'
import { dateIn, type PlainDate } from '../../lib/plain-date.ts'
import type { StandInAnswer } from '../answer-under-faults.ts'
import { hasFault } from '../fault-plan.ts'
import type { Fault } from '../faults.ts'
import type { VendorView, WorldBed, WorldProperty } from '../world/contract.ts'
import { penaltiesOf } from './penalties.ts'
import {
  type PricedRate,
  presentPricing,
  pricedRates,
  RAPID,
  rateIdOf,
  roomIdOf,
  type Shop,
  todayAt,
} from './price-rates.ts'
import { type ShopQuery, shopErrors } from './shop-query.ts'
import type { Tokens } from './tokens.ts'
import { internalError, invalidInput, json, linkInvalid, serviceUnavailable } from './vendor-words.ts'

/** What a price-check link stands for, and what a book link stands for. */
export type OfferToken = ShopQuery & {
  readonly property: number
  readonly room: number
  readonly plan: string
  readonly bed: number
  /** On top of the vendor's own factor; above 1 once a price has been raised. */
  readonly raise: number
  /** The day whose prices the guest was shown; the link carries the price. */
  readonly pricedOn: PlainDate
}

export type ShopDeps = Shop & { readonly clock: Clock; readonly tokens: Tokens }

const CHECK_TTL_MS = 30 * 60_000
const BOOK_TTL_MS = 15 * 60_000
/** How much dearer a rate is after a `price_change`. */
const RAISE = 1.07

const BOARD_AMENITY: Readonly<Record<string, { id: string; name: string; categories?: string[] } | undefined>> = {
  breakfast: { id: '2098', name: 'Free breakfast', categories: ['breakfast'] },
  half_board: { id: '1073742857', name: 'Half board' },
  full_board: { id: '1073742858', name: 'Full board' },
  all_inclusive: { id: '1073742621', name: 'All-inclusive' },
}

export function answerAvailability(
  deps: ShopDeps,
  query: URLSearchParams,
  test: string,
  faults: readonly Fault[],
): StandInAnswer {
  const now = deps.clock.now()
  const errors = shopErrors(query, dateIn('UTC', now))
  if (errors.length > 0) return invalidInput(errors)
  if (test === 'service_unavailable') return serviceUnavailable
  if (test === 'unknown_internal_error') return internalError
  if (test === 'no_availability' || hasFault(faults, 'sold_out')) return json(200, [])
  const asked: ShopQuery = {
    checkIn: query.get('checkin') ?? '',
    checkOut: query.get('checkout') ?? '',
    currency: query.get('currency') ?? '',
    occupancies: query.getAll('occupancy'),
  }
  const ratesMax = Number(query.get('rate_plan_count'))
  const onlyRefundable = query.getAll('filter').includes('refundable')
  const properties = [...new Set(query.getAll('property_id'))].flatMap((id) => {
    const property = /^\d{1,10}$/.test(id) ? deps.world.byVendorId(RAPID, Number(id)) : undefined
    const view = property && deps.world.view(RAPID, property)
    if (property === undefined || view === undefined) return []
    const best = pricedRates(deps, property, asked, todayAt(property, now))
      .filter((rate) => !onlyRefundable || [...rate.byOccupancy.values()].every((each) => each.refundable))
      .sort((a, b) => a.total - b.total)
      .slice(0, ratesMax)
    return best.length === 0 ? [] : [presentProperty(deps, { property, view, query: asked, now }, best)]
  })
  return json(200, properties)
}

type Shown = { property: WorldProperty; view: VendorView; query: ShopQuery; now: number }

/** Rates of a room stand together; the order of the rooms is the house's, not the price's. */
function presentProperty(deps: ShopDeps, shown: Shown, best: readonly PricedRate[]) {
  const rooms = shown.property.rooms.flatMap((room) => {
    const rates = best.filter((rate) => rate.room.number === room.number)
    if (rates.length === 0) return []
    return {
      id: roomIdOf(shown.view, room),
      room_name: room.name,
      rates: rates.map((rate) => presentRate(deps, shown, rate)),
    }
  })
  return {
    property_id: String(shown.view.vendorPropertyId),
    status: 'available',
    rooms,
    score: Math.round(shown.property.ratings.overall * 1000),
  }
}

function presentRate(deps: ShopDeps, { property, view, query, now }: Shown, rate: PricedRate) {
  const [first] = rate.byOccupancy.values()
  if (first === undefined) throw new Error('a rate without a price')
  const { refundable, cancel_penalties } = penaltiesOf(property, first, query.checkIn, now)
  const meal = BOARD_AMENITY[first.board]
  const wifi = property.amenities.includes('wifi') ? { '2192': { id: '2192', name: 'Free WiFi' } } : {}
  return {
    id: rateIdOf(view, rate),
    status: 'available',
    available_rooms: rate.left,
    refundable,
    member_deal_available: false,
    sale_scenario: { package: false, member: false, corporate: false, distribution: false },
    merchant_of_record: 'expedia',
    amenities: { ...(meal === undefined ? {} : { [meal.id]: meal }), ...wifi },
    bed_groups: presentBedGroups(deps, view, { ...query, pricedOn: todayAt(property, now) }, rate),
    cancel_penalties,
    occupancy_pricing: Object.fromEntries(
      [...rate.byOccupancy].map(([party, each]) => [party, presentPricing(each, view.priceFactor, query.currency)]),
    ),
    ...(first.nightlyBeforeMinor === undefined
      ? {}
      : { promotions: { deal: { id: `9${rate.room.number}`, description: 'Special offer' } } }),
  }
}

export const bedGroupId = (room: { number: number }, choice: number): string =>
  String(37_300 + room.number * 10 + choice)

function presentBedGroups(
  deps: ShopDeps,
  view: VendorView,
  query: ShopQuery & Pick<OfferToken, 'pricedOn'>,
  rate: PricedRate,
) {
  return Object.fromEntries(
    rate.room.bedChoices.map((beds, choice) => {
      const offer: OfferToken = {
        ...query,
        property: view.vendorPropertyId,
        room: rate.room.number,
        plan: rate.plan,
        bed: choice,
        raise: 1,
      }
      const { token, expiresAt } = deps.tokens.seal('check', offer, CHECK_TTL_MS)
      const id = bedGroupId(rate.room, choice)
      const path = `/v3/properties/${view.vendorPropertyId}/rooms/${roomIdOf(view, rate.room)}/rates/${rateIdOf(view, rate)}`
      const price_check = { method: 'GET', href: `${path}?token=${token}`, expires: new Date(expiresAt).toISOString() }
      return [id, { links: { price_check }, id, ...presentBeds(beds) }]
    }),
  )
}

const BED_NAMES: Record<WorldBed['type'], string> = {
  king: 'King',
  queen: 'Queen',
  double: 'Double',
  twin: 'Twin',
  single: 'Single',
  sofa: 'Sofa',
  bunk: 'Bunk',
}

/** "1 King Bed and 2 Sofa Beds". */
export function presentBeds(beds: readonly WorldBed[]) {
  return {
    description: beds
      .map(({ type, quantity }) => `${quantity} ${BED_NAMES[type]} Bed${quantity === 1 ? '' : 's'}`)
      .join(' and '),
    configuration: beds.map(({ type, quantity }) => ({
      type: `${BED_NAMES[type]}Bed`,
      size: BED_NAMES[type],
      quantity,
    })),
  }
}

export type OpenOffer = { property: WorldProperty; view: VendorView; rate: PricedRate | undefined }

/** The offer behind a token at the prices of a day; `rate` is missing when it is sold out by now. */
export function openOffer(deps: ShopDeps, offer: OfferToken, today: PlainDate): OpenOffer | undefined {
  const property = deps.world.byVendorId(RAPID, offer.property)
  const view = property && deps.world.view(RAPID, property)
  if (property === undefined || view === undefined) return undefined
  const rate = pricedRates(deps, property, offer, today).find(
    (each) => each.room.number === offer.room && each.plan === offer.plan,
  )
  return { property, view, rate }
}

export function answerPriceCheck(
  deps: ShopDeps,
  query: URLSearchParams,
  test: string,
  faults: readonly Fault[],
): StandInAnswer {
  if (test === 'service_unavailable') return serviceUnavailable
  if (test === 'unknown_internal_error') return internalError
  const offer = deps.tokens.open<OfferToken>('check', query.get('token'))
  if (offer === 'invalid' || offer === 'expired' || hasFault(faults, 'expired')) return linkInvalid
  const shown = openOffer(deps, offer, offer.pricedOn)
  if (shown === undefined) return linkInvalid
  const pricedOn = todayAt(shown.property, deps.clock.now())
  const open = openOffer(deps, offer, pricedOn)
  if (open?.rate === undefined || test === 'sold_out' || hasFault(faults, 'sold_out')) {
    return json(200, { status: 'sold_out', links: {} })
  }
  const isRaised = test === 'price_changed' || hasFault(faults, 'price_change')
  const raise = isRaised ? offer.raise * RAISE : offer.raise
  const hasChanged = isRaised || shown.rate?.total !== open.rate.total
  const { token, expiresAt } = deps.tokens.seal('book', { ...offer, raise, pricedOn } satisfies OfferToken, BOOK_TTL_MS)
  return json(200, {
    status: hasChanged ? 'price_changed' : 'available',
    occupancy_pricing: Object.fromEntries(
      [...open.rate.byOccupancy].map(([party, rate]) => [
        party,
        presentPricing(rate, open.view.priceFactor * raise, offer.currency),
      ]),
    ),
    links: {
      book: { method: 'POST', href: `/v3/itineraries?token=${token}`, expires: new Date(expiresAt).toISOString() },
    },
  })
}
