import { BOARDS } from '../../domain/offer.ts'

/** Filters and orders of a results link that the list of the API has as well. */
const LIMITS = {
  min: 'total_price:>=<',
  max: 'total_price:<=<',
  rating: 'guest_rating:>=<',
  distance: 'distance_km:<=<',
}
const ORDERS: Readonly<Record<string, readonly [field: string, direction: string]>> = {
  price: ['total_price', 'asc'],
  rating: ['guest_rating', 'desc'],
  distance: ['distance_km', 'asc'],
  stars: ['star_rating', 'desc'],
}
const ONLY_IN_THE_PAGE = ['stars', 'amenities', 'kind', 'chain', 'neighbourhood', 'name']

/** Request of the API for the query of a results link. The API validates it. */
export function readSearchLink(query: URLSearchParams, language: string, limit: number) {
  const boards = (query.get('board') ?? '').split(',')
  const conditions = {
    ...(query.get('free') === '1' && { free_cancellation: true }),
    ...(BOARDS.some((board) => boards.includes(board)) && { boards: BOARDS.filter((board) => boards.includes(board)) }),
  }
  const [south, west, north, east] = (query.get('area') ?? '').split(',').map(Number)
  const list = new URLSearchParams({ view: 'card', page_size: String(limit) })
  for (const [name, filter] of Object.entries(LIMITS)) {
    const value = Number.parseFloat(query.get(name) ?? '')
    if (Number.isFinite(value)) list.append('filters[]', `${filter}${value}`)
  }
  const [field, direction] = ORDERS[query.get('sort') ?? ''] ?? []
  if (field !== undefined && direction !== undefined) {
    list.append('order_by[]', field)
    list.append('order_directions[]', direction)
  }
  return {
    url: `/api/accommodation_searches/search?${list}`,
    body: {
      destination_id: query.get('to') ?? '',
      check_in: query.get('in') ?? '',
      check_out: query.get('out') ?? '',
      occupancies: (query.get('rooms') ?? '2').split(',').map(readRoom),
      ...(query.has('cur') && { currency: query.get('cur') }),
      ...(query.has('area') && { area: { south, west, north, east } }),
      ...(Object.keys(conditions).length > 0 && { conditions }),
      language,
      timeout_ms: 10_000,
    },
    ignoresFilters: ONLY_IN_THE_PAGE.some((name) => query.has(name)),
  }
}

/** `2-7.4`: two adults with children of 7 and 4. */
function readRoom(text: string) {
  const [adults, ages] = text.split('-', 2)
  return { adults: Number(adults), children_ages: ages === undefined ? [] : ages.split('.').map(Number) }
}
