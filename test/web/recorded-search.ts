import { example, type Json } from './recorded-answers.ts'

/** Search answers that match their request. */

const PLACE = example('locationsSearch').data[0]
const REQUEST = {
  destination_id: PLACE.id,
  check_in: '2027-03-12',
  check_out: '2027-03-14',
  occupancies: [{ adults: 2 }],
  currency: 'EUR',
}

const QUERY = new URLSearchParams({
  to: PLACE.id,
  place: PLACE.name,
  in: REQUEST.check_in,
  out: REQUEST.check_out,
  rooms: '2',
  cur: REQUEST.currency,
})

/** Address of a list in Paris: two nights, two adults. */
export const RESULTS_ADDRESS = `/search?${QUERY}`

/** Address of the first property of that list, with its search. */
export const STAY_ADDRESS = `/property/prp_recorded0?${QUERY}&search_id=${searchAnswer([]).search_id}`

/**
 * Properties like the recorded one, each with its own id, name, price, stars and terms. Every second has free
 * cancellation, every third breakfast.
 */
export function manyProperties(count: number): Json[] {
  const [{ free_cancellation: free, guest_ratings, hero_images, offers, ...summary }] =
    example('searchCreate').data.availability
  const first = {
    ...summary,
    guest_rating: guest_ratings.overall,
    image: hero_images.med,
    offers_count: offers.length,
  }
  return Array.from({ length: count }, (_, index) => {
    const total_price = 100 + ((index * 37) % 400) + 0.5
    const isFree = index % 2 === 0
    return {
      ...first,
      property_id: `prp_recorded${index}`,
      name: index === 0 ? first.name : `${first.name} ${index + 1}`,
      total_price,
      public_price: total_price,
      board: index % 3 === 0 ? 'breakfast' : 'room_only',
      star_rating: (index % 4) + 2,
      score: 0.9 - index / 1_000,
      distance_km: 1 + index / 10,
      location: { lat: first.location.lat + index / 1_000, lon: first.location.lon },
      ...(isFree && { free_cancellation: { ...free, total_price } }),
      free_cancellation_until: isFree ? free.until : null,
    }
  })
}

/** True if the shown rate of a property meets the conditions of a request. */
const meets = ({ board, free_cancellation_until }: Json, { boards, free_cancellation }: Json): boolean =>
  (boards?.includes(board) ?? true) && (free_cancellation !== true || free_cancellation_until !== null)

/**
 * Answer to a search request with these properties; without a request, that of `STAY_ADDRESS`. Each number has its own
 * search id.
 */
export function searchAnswer(properties: readonly Json[], request: Json = REQUEST, number = 0): Json {
  const { data } = example('searchCreate')
  const search_id = data.search_id.replace(/....$/, String(number).padStart(4, '0'))
  const { check_in, check_out, occupancies, destination_id, currency = 'EUR', area = null, conditions = {} } = request
  const nights = (Date.parse(check_out) - Date.parse(check_in)) / 86_400_000
  return {
    ...data,
    search_id,
    availability: properties.filter((each) => meets(each, conditions)).map((each) => ({ ...each, currency })),
    check_in,
    check_out,
    nights,
    currency,
    area,
    conditions,
    occupancies: occupancies.map((room: Json) => ({ children_ages: [], ...room })),
    location: { ...data.location, ...nameDestination(destination_id) },
  }
}

/** The id of a property is not that of its location. */
function nameDestination(id: string | undefined): Json {
  if (id?.startsWith('prp_') === true) return { type: 'property', property_id: id }
  return id === undefined ? {} : { id }
}

/** A page of a saved search. */
export function savedAnswer({ availability, ...search }: Json): Json {
  const { meta } = example('searchAvailability')
  const counts = { total_count: availability.length, total_pages: 1, page_size: 1_000 }
  const page = { ...meta, ...counts, next_offset: null, next_page: null, 'has_next_page?': false, search }
  return { data: availability, meta: page }
}

/** Recorded rooms for one property. */
export function detailAnswer(query: URLSearchParams, properties: readonly Json[]): Json {
  const { accommodation } = example('searchDetail')
  const property_id = query.get('property_id')
  const found = properties.find((each) => each.property_id === property_id)
  const own = { property_id, search_id: query.get('search_id') }
  const overview = { ...accommodation.overview, ...own, name: found?.name ?? accommodation.overview.name }
  return { accommodation: { ...accommodation, ...own, overview } }
}

/** Converts a search to a stream of events. */
export function searchStream({ availability, ...search }: Json): string {
  const event = (name: string, data: Json) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
  const order = availability.map(({ property_id }: Json) => property_id)
  return [
    ...search.vendors.map((vendor: Json) => event('vendor', vendor)),
    event('properties', { availability }),
    event('done', { data: { ...search, order } }),
  ].join('')
}
