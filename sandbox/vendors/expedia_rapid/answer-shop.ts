import type { Clock } from '../../../src/lib/time/clock.ts'
import { dateIn, type PlainDate } from '../../../src/lib/time/plain-date.ts'
import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import { hasFault } from '../../server/fault-plan.ts'
import type { Fault } from '../../server/faults.ts'
import type { StandInSettings } from '../../server/settings.ts'
import { todayIn } from '../../server/stay-dates.ts'
import type { Tokens } from '../../server/tokens.ts'
import { chooseWorsening, type Worsening } from '../../server/worse-terms.ts'
import type { VendorView, WorldBed, WorldProperty, WorldRate } from '../../world/contract.ts'
import { hashShare, hashText } from '../../world/hash.ts'
import { germanBeds, hasGermanTexts, localizeTexts } from '../../world/property/german-texts.ts'
import { spellRoom } from '../../world/rooms/spell-room.ts'
import { hasCategory, isCategory, listMeals } from './meals.ts'
import { rateTexts, traderTexts } from './notices.ts'
import { computePenalties } from './penalties.ts'
import { type PricedRate, presentPricing, priceRates, type Shop, toRateId, toRoomId } from './price-rates.ts'
import { readProfile, type ShopQuery, shopErrors } from './shop-query.ts'
import { internalError, invalidInput, json, linkInvalid, nested, serviceUnavailable } from './vendor-words.ts'

/** Content of a price-check or book link. */
export type OfferToken = ShopQuery & {
  readonly property: number
  readonly room: number
  readonly plan: string
  readonly bed: number
  /** Multiplied with the vendor's own factor; above 1 after a price increase. */
  readonly raise: number
  /** Term that became worse at the price check. */
  readonly worse?: Worsening
  /** Date of the prices that the guest was shown. */
  readonly pricedOn: PlainDate
}

export type ShopDeps = Shop & {
  readonly clock: Clock
  readonly tokens: Tokens
  readonly settings: Readonly<StandInSettings>
}

/** The vendor describes some properties in English only. */
const VENDOR_SALT = 1
export const isInGerman = (property: WorldProperty, language = ''): boolean =>
  language.startsWith('de') && hasGermanTexts(property, VENDOR_SALT)

const CHECK_TTL_MS = 30 * 60_000
const BOOK_TTL_MS = 15 * 60_000
/** Price factor after a `price_change`. */
const RAISE_FACTOR = 1.07

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
  const profile = readProfile(query)
  const shopQuery: ShopQuery = {
    checkIn: query.get('checkin') ?? '',
    checkOut: query.get('checkout') ?? '',
    currency: query.get('currency') ?? '',
    occupancies: query.getAll('occupancy'),
    language: query.get('language') ?? '',
    ...(profile !== '' && { profile }),
  }
  const ratesMax = Number(query.get('rate_plan_count'))
  const onlyRefundable = query.getAll('filter').includes('refundable')
  const categories = query.getAll('amenity_category')
  const refused = categories.find(
    (category) =>
      deps.settings.refusedCategories === 1 || deps.settings.unlistedCategories === 1 || !isCategory(category),
  )
  if (refused !== undefined) {
    const message = 'Amenity category is invalid.'
    return invalidInput([nested('amenity_category.invalid', message, 'amenity_category', 'querystring', refused)])
  }
  const isWanted = ({ board, refundable }: WorldRate) =>
    deps.settings.ignoredConditions === 1 ||
    (categories.every((category) => hasCategory(category, board)) && (!onlyRefundable || refundable))
  const showsRefundability =
    query.getAll('include').includes('rooms.rates.current_refundability') && deps.settings.silentRefundability !== 1
  const properties = [...new Set(query.getAll('property_id'))].flatMap((id) => {
    const property = /^\d{1,10}$/.test(id) ? deps.world.byVendorId(Number(id)) : undefined
    const view = property && deps.world.view(property)
    if (property === undefined || view === undefined) return []
    const best = priceRates(deps, property, shopQuery, todayIn(property.place.timezone, now), isWanted)
      .sort((a, b) => a.total - b.total)
      .slice(0, ratesMax)
    return best.length === 0
      ? []
      : [presentProperty(deps, { property, view, query: shopQuery, now, showsRefundability }, best)]
  })
  return json(200, properties)
}

type Shown = {
  property: WorldProperty
  view: VendorView
  query: ShopQuery
  now: number
  showsRefundability: boolean
}

/** Rates are grouped by room; rooms come in the property's own order, not by price. */
function presentProperty(deps: ShopDeps, shown: Shown, best: readonly PricedRate[]) {
  const texts = localizeTexts(shown.property, isInGerman(shown.property, shown.query.language))
  const rooms = shown.property.rooms.flatMap((room) => {
    const rates = best.filter((rate) => rate.room.number === room.number)
    if (rates.length === 0) return []
    return {
      id: toRoomId(shown.view, room),
      room_name: texts.roomName(room) ?? spellRoom('commas', shown.property, room),
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

function presentRate(deps: ShopDeps, shown: Shown, rate: PricedRate) {
  const { property, view, query, now } = shown
  const [first] = rate.byOccupancy.values()
  if (first === undefined) throw new Error('the rate has no price')
  const { settings } = deps
  const isGerman = isInGerman(property, query.language)
  const { feeAt: _, ...terms } = computePenalties({ property, rate: first, checkIn: query.checkIn, now, settings })
  const isPartial = !terms.refundable && (first.refundable || terms.cancel_penalties.length > 1)
  const current = terms.refundable ? 'refundable' : isPartial ? 'partially_refundable' : 'non_refundable'
  return {
    id: toRateId(view, rate),
    status: 'available',
    available_rooms: rate.left,
    ...terms,
    ...(shown.showsRefundability && { current_refundability: current }),
    member_deal_available: false,
    sale_scenario: { package: false, member: false, corporate: false, distribution: false },
    merchant_of_record: settings.ignoredCollectFilter === 1 && rate.plan === 'flex' ? 'property' : 'expedia',
    amenities: { ...listMeals(property, first, settings), ...wifiAmenity(property, query.language) },
    bed_groups: presentBedGroups(
      deps,
      { view, isGerman },
      { ...query, pricedOn: todayIn(property.place.timezone, now) },
      rate,
    ),
    occupancy_pricing: Object.fromEntries(
      [...rate.byOccupancy].map(([party, candidate]) => [
        party,
        presentPricing(candidate, view.priceFactor, query.currency),
      ]),
    ),
    ...rateTexts(property, first, rate.room.number, isGerman),
  }
}

const wifiAmenity = ({ amenities }: WorldProperty, language = '') =>
  amenities.includes('wifi')
    ? { '2192': { id: '2192', name: language.startsWith('de') ? 'Kostenloses WLAN' : 'Free WiFi' } }
    : {}

export const bedGroupId = (room: { number: number }, choice: number): string =>
  String(37_300 + room.number * 10 + choice)

function presentBedGroups(
  deps: ShopDeps,
  { view, isGerman }: { view: VendorView; isGerman: boolean },
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
      const path = `/v3/properties/${view.vendorPropertyId}/rooms/${toRoomId(view, rate.room)}/rates/${toRateId(view, rate)}`
      const price_check = { method: 'GET', href: `${path}?token=${token}`, ...presentExpiry(deps, view, expiresAt) }
      return [id, { links: { price_check }, id, ...presentBeds(beds, isGerman) }]
    }),
  )
}

/** Some links have no expiry time. */
function presentExpiry({ settings }: ShopDeps, { vendorPropertyId }: VendorView, expiresAt: number) {
  if (hashShare(vendorPropertyId, 45) < settings.linksWithoutExpiry) return {}
  return { expires: new Date(expiresAt).toISOString() }
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
export function presentBeds(beds: readonly WorldBed[], isGerman = false) {
  const english = () =>
    beds.map(({ type, quantity }) => `${quantity} ${BED_NAMES[type]} Bed${quantity === 1 ? '' : 's'}`).join(' and ')
  return {
    description: isGerman ? germanBeds(beds) : english(),
    configuration: beds.map(({ type, quantity }) => ({
      type: `${BED_NAMES[type]}Bed`,
      size: BED_NAMES[type],
      quantity,
    })),
  }
}

export type ResolvedOffer = { property: WorldProperty; view: VendorView; rate: PricedRate | undefined }

/** Resolves a token at the prices of a day; `rate` is undefined if the room is sold out. */
export function resolveOffer(deps: ShopDeps, offer: OfferToken, today: PlainDate): ResolvedOffer | undefined {
  const property = deps.world.byVendorId(offer.property)
  const view = property && deps.world.view(property)
  if (property === undefined || view === undefined) return undefined
  const rate = priceRates(deps, property, offer, today).find(
    (candidate) => candidate.room.number === offer.room && candidate.plan === offer.plan,
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
  const shown = resolveOffer(deps, offer, offer.pricedOn)
  if (shown === undefined) return linkInvalid
  const pricedOn = todayIn(shown.property.place.timezone, deps.clock.now())
  const open = resolveOffer(deps, offer, pricedOn)
  if (open?.rate === undefined || test === 'sold_out' || hasFault(faults, 'sold_out')) {
    return json(200, { status: 'sold_out', links: {} })
  }
  const isRaised = test === 'price_changed' || hasFault(faults, 'price_change')
  const raise = isRaised ? offer.raise * RAISE_FACTOR : offer.raise
  const hasChanged = isRaised || shown.rate?.total !== open.rate.total
  const worse = chooseWorsening(
    faults,
    deps.settings,
    hashShare(offer.property, hashText(`${offer.plan} ${offer.checkIn}`), 46),
  )
  const checked: OfferToken = { ...offer, raise, pricedOn, ...(worse !== undefined && { worse }) }
  return json(200, presentCheck(deps, checked, { ...open, rate: open.rate }, hasChanged))
}

/** Terms and meals are repeated only if they changed; Rapid's documentation does not list them here. */
function presentCheck(
  deps: ShopDeps,
  offer: OfferToken,
  { property, view, rate }: ResolvedOffer & { rate: PricedRate },
  hasChanged: boolean,
) {
  const { token, expiresAt } = deps.tokens.seal('book', offer, BOOK_TTL_MS)
  const [first] = rate.byOccupancy.values()
  if (first === undefined) throw new Error('the rate has no price')
  const { settings } = deps
  const facts = { property, rate: first, checkIn: offer.checkIn, now: deps.clock.now(), settings, isBound: true }
  const { feeAt: _, ...terms } = computePenalties(facts)
  return {
    status: hasChanged ? 'price_changed' : 'available',
    occupancy_pricing: Object.fromEntries(
      [...rate.byOccupancy].map(([party, candidate]) => [
        party,
        presentPricing(candidate, view.priceFactor * offer.raise, offer.currency, offer.worse === 'fees'),
      ]),
    ),
    ...(offer.worse === 'terms' && terms),
    ...(offer.worse === 'board' && { amenities: wifiAmenity(property, offer.language) }),
    ...traderTexts(property),
    links: {
      book: { method: 'POST', href: `/v3/itineraries?token=${token}`, ...presentExpiry(deps, view, expiresAt) },
    },
  }
}
