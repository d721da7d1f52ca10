import type { AmenitySlug } from '../../../src/domain/property/amenity.ts'
import type { Clock } from '../../../src/lib/time/clock.ts'
import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import { hasFault } from '../../server/fault-plan.ts'
import type { Fault } from '../../server/faults.ts'
import type { StandInSettings } from '../../server/settings.ts'
import type { Tokens } from '../../server/tokens.ts'
import type { VendorView, VendorWorld, WorldProperty, WorldRoom } from '../../world/contract.ts'
import { hashText } from '../../world/hash.ts'
import { localizeTexts, type Texts } from '../../world/property/german-texts.ts'
import { spellRoom } from '../../world/rooms/spell-room.ts'
import { bedGroupId, isInGerman, presentBeds } from './answer-shop.ts'
import { checkInTexts, contentTexts } from './notices.ts'
import { toRoomId } from './price-rates.ts'
import { isLanguage } from './shop-query.ts'
import { invalidInput, json, linkExpired, linkInvalid, type NestedError, nested } from './vendor-words.ts'

export type ContentDeps = {
  readonly world: VendorWorld
  readonly clock: Clock
  readonly tokens: Tokens
  readonly settings: Readonly<StandInSettings>
  /** Base address of pictures: `{pictureBase}/{key}/{kind}.svg?w=…`. */
  readonly pictureBase: string
}

const IDS_MAX = 250
const PAGE_SIZE = 250
const PAGE_TTL_MS = 60 * 60_000
const CATEGORY: Record<WorldProperty['kind'], { id: string; name: string }> = {
  hotel: { id: '1', name: 'Hotel' },
  apartment: { id: '16', name: 'Apartment' },
  hostel: { id: '12', name: 'Hostel/Backpacker accommodation' },
  guesthouse: { id: '7', name: 'Guest house' },
  resort: { id: '3', name: 'Resort' },
}

type ContentRequest = { readonly include: readonly string[]; readonly language: string }
type Page = ContentRequest & { readonly after: number }

export function answerContent(
  deps: ContentDeps,
  { origin, searchParams: query }: URL,
  faults: readonly Fault[],
): StandInAnswer {
  if (query.has('token')) {
    const page = deps.tokens.open<Page>('page', query.get('token'))
    if (page === 'expired' || hasFault(faults, 'expired')) return linkExpired
    return page === 'invalid' ? linkInvalid : answerPage(deps, origin, page)
  }
  const errors = contentErrors(query)
  if (errors.length > 0) return invalidInput(errors)
  const requested = { include: query.getAll('include'), language: query.get('language') ?? '' }
  if (!query.has('property_id')) return answerPage(deps, origin, { after: 0, ...requested })
  const found = query.getAll('property_id').flatMap((id) => deps.world.byVendorId(Number(id)) ?? [])
  return json(200, presentAll(deps, found, requested))
}

function contentErrors(query: URLSearchParams): NestedError[] {
  const errors: NestedError[] = []
  const ids = query.getAll('property_id')
  const language = query.get('language')
  if (language === null) errors.push(nested('language.required', 'A language is required.', 'language', 'querystring'))
  else if (!isLanguage(language)) {
    errors.push(nested('language.not_supported', 'Language is not supported.', 'language', 'querystring', language))
  }
  if (query.get('supply_source') !== 'expedia' && query.get('supply_source') !== 'vrbo') {
    errors.push(nested('supply_source.required', 'A supply_source is required.', 'supply_source', 'querystring'))
  }
  if (ids.length > IDS_MAX) {
    const message = 'A maximum of 250 property_id query parameters may be provided to this request.'
    errors.push(nested('property_id.above_maximum', message, 'property_id', 'querystring'))
  }
  if (ids.some((id) => !/^\d+$/.test(id))) {
    const message = 'All provided property_id query parameters must be numeric.'
    errors.push(nested('property_id.must_be_numeric', message, 'property_id', 'querystring'))
  }
  return errors
}

function answerPage(deps: ContentDeps, origin: string, page: Page): StandInAnswer {
  const { properties, position, done } = deps.world.walk(page.after, PAGE_SIZE)
  const headers: Record<string, string> = { 'pagination-total-results': String(deps.world.size()) }
  if (!done) {
    const { token, expiresAt } = deps.tokens.seal('page', { ...page, after: position } satisfies Page, PAGE_TTL_MS)
    const expires = new Date(expiresAt).toISOString()
    headers.link = `<${origin}/v3/properties/content?token=${token}>; rel="next"; expires=${expires}`
  }
  return json(200, presentAll(deps, properties, page), headers)
}

/** A single text of this length makes a response too large. */
const PADDING = 17 * 1024 * 1024
const LARGE_FROM = 50

function presentAll(deps: ContentDeps, properties: readonly WorldProperty[], request: ContentRequest) {
  const isLarge = properties.length > LARGE_FROM && request.include.join() !== 'property_id'
  const padding = deps.settings.largeContent === 1 && isLarge ? { padding: 'x'.repeat(PADDING) } : {}
  return { ...presentEach(deps, properties, request), ...padding }
}

function presentEach(deps: ContentDeps, properties: readonly WorldProperty[], { include, language }: ContentRequest) {
  return Object.fromEntries(
    properties.flatMap((property) => {
      const view = deps.world.view(property)
      if (view === undefined) return []
      const withRooms = include.length === 0 || include.includes('rooms')
      const all = presentProperty(deps, property, view, { withRooms, language })
      const kept =
        include.length === 0
          ? all
          : Object.fromEntries(Object.entries(all).filter(([name]) => name === 'property_id' || include.includes(name)))
      return [[all.property_id, kept]]
    }),
  )
}

/** Rooms are expensive to present, so they are skipped if not requested. */
function presentProperty(
  deps: ContentDeps,
  property: WorldProperty,
  view: VendorView,
  { withRooms, language }: { withRooms: boolean; language: string },
) {
  const { address } = view
  const isGerman = isInGerman(property, language)
  // Amenities are coded, so they have names in every language.
  const { amenity } = localizeTexts(property, language.startsWith('de'))
  const texts = { ...localizeTexts(property, isGerman), amenity }
  return {
    property_id: String(view.vendorPropertyId),
    name: view.name,
    address: {
      line_1: address.line1,
      city: address.city,
      state_province_name: address.region,
      postal_code: address.postalCode,
      country_code: address.countryCode,
      obfuscation_required: false,
    },
    ratings: presentRatings(property, view),
    location: { coordinates: { latitude: view.point.lat, longitude: view.point.lon }, obfuscation_required: false },
    phone: view.phone,
    category: CATEGORY[property.kind],
    rank: 1 + (property.key % 100_000),
    business_model: { expedia_collect: true, property_collect: false },
    checkin: { begin_time: formatTwelveHours(property.checkInTime), min_age: 18, ...checkInTexts(property, isGerman) },
    ...contentTexts(property, isGerman),
    checkout: { time: formatTwelveHours(property.checkOutTime) },
    attributes: {
      ...(property.amenities.includes('pets') ? { pets: { '51': { id: '51', name: 'Pets allowed' } } } : {}),
    },
    amenities: presentAmenities(property.amenities, texts),
    images: property.pictures.map((picture, place) => presentImage(deps, property, picture, place === 0)),
    rooms: Object.fromEntries(
      (withRooms ? property.rooms : []).map((room) => [
        toRoomId(view, room),
        presentRoom(deps, { property, view, texts, isGerman }, room),
      ]),
    ),
    descriptions: {
      headline: texts.headline,
      location: texts.paragraphs[0] ?? '',
      amenities: texts.paragraphs
        .slice(1)
        .map((text) => `<p>${text}</p>`)
        .join(''),
    },
    ...(view.chain === '' ? { chain: { id: '0', name: 'Independent' } } : presentChain(view.chain)),
    supply_source: 'expedia',
  }
}

const presentChain = (chain: string) => {
  const id = String(1 + (hashText(chain) % 3_000))
  return { chain: { id, name: chain }, brand: { id, name: chain } }
}

function presentRatings({ ratings }: WorldProperty, view: VendorView) {
  const mark = (value: number) => value.toFixed(1)
  return {
    ...(view.stars > 0 ? { property: { rating: mark(view.stars), type: 'Star' } } : {}),
    ...(ratings.count === 0
      ? {}
      : {
          guest: {
            count: ratings.count,
            overall: mark(ratings.overall),
            cleanliness: mark(ratings.cleanliness),
            service: mark(ratings.service),
            comfort: mark(ratings.comfort),
            condition: mark(ratings.condition),
            amenities: mark(ratings.amenities),
          },
        }),
  }
}

/** "15:00" → "3:00 PM". */
function formatTwelveHours(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

function presentAmenities(slugs: readonly AmenitySlug[], texts: Texts) {
  return Object.fromEntries(
    slugs.map((slug) => {
      const id = String(2_000 + (hashText(slug) % 8_000))
      return [id, { id, name: texts.amenity(slug) }]
    }),
  )
}

function presentImage(
  deps: ContentDeps,
  property: WorldProperty,
  picture: { kind: string; caption: string },
  hero: boolean,
) {
  const link = (width: number) => ({
    method: 'GET',
    href: `${deps.pictureBase}/${property.key}/${picture.kind}.svg?w=${width}`,
  })
  return {
    hero_image: hero,
    category: 3,
    caption: picture.caption,
    links: { '70px': link(70), '200px': link(200), '350px': link(350), '1000px': link(1000) },
  }
}

type Described = { property: WorldProperty; view: VendorView; texts: Texts; isGerman: boolean }

function presentRoom(deps: ContentDeps, { property, view, texts, isGerman }: Described, room: WorldRoom) {
  const picture =
    property.pictures.find(({ caption }) => caption === room.name) ??
    property.pictures.find(({ kind }) => kind.startsWith('room'))
  return {
    id: toRoomId(view, room),
    name: texts.roomName(room) ?? spellRoom('commas', property, room),
    descriptions: { overview: `<p>${texts.roomDescription(room)}</p>` },
    amenities: presentAmenities(room.amenities, texts),
    ...(picture === undefined ? {} : { images: [presentImage(deps, property, picture, true)] }),
    bed_groups: Object.fromEntries(
      room.bedChoices.map((beds, choice) => {
        const id = bedGroupId(room, choice)
        return [id, { id, ...presentBeds(beds, isGerman) }]
      }),
    ),
    area: { square_meters: room.squareMeters, square_feet: Math.round(room.squareMeters * 10.764) },
    occupancy: { max_allowed: { total: room.sleeps, children: room.childrenMax, adults: room.adultsMax } },
  }
}
