const SHOWN_FIRST =
  'wifi breakfast free_parking parking pool outdoor_pool indoor_pool air_conditioning spa fitness restaurant pets wheelchair'
const RANKS = new Map(SHOWN_FIRST.split(' ').map((slug, place) => [slug, place]))

/** Most requested amenities first; the others follow by name. */
export const getAmenityRank = (slug: string): number => RANKS.get(slug) ?? 99
