import type { VendorProperty } from '../domain/property.ts'
import { taglineOf } from '../domain/tagline.ts'
import { plainText } from '../lib/clean-markup.ts'
import { foldText } from '../lib/fold-text.ts'
import type { PropertySummaryRow } from '../store/tables.ts'
import { cut } from './bound-content.ts'

const IMAGES_MAX = 5
const AMENITIES_MAX = 12
const DESCRIPTION_MAX = 600
/** Markup and all, enough for that many characters of text. */
const DESCRIPTION_READ = 2_000

/**
 * The part of a result list's line that does not change with the dates, written out as JSON once and for all. It has
 * no braces, so that a search only puts its prices beside it: `{${summary},"total_price":…}`.
 */
export function summaryRowOf(propertyId: string, content: VendorProperty): PropertySummaryRow {
  return {
    property_id: propertyId,
    name_folded: foldText(content.name),
    star_rating: content.starRating,
    guest_rating: content.guestRatings.overall,
    category: content.category,
    amenity_slugs: content.amenitySlugs.join(' '),
    summary: JSON.stringify(summaryOf(propertyId, content)).slice(1, -1),
  }
}

/** The row's part of a result line as bytes, ready to be copied: its summary, and the amenities a list is filtered by. */
export const summaryBytes = (row: Pick<PropertySummaryRow, 'summary' | 'amenity_slugs'>): Buffer =>
  Buffer.from(`${row.summary},"amenities":${JSON.stringify(slugsOf(row))}`)

export const slugsOf = ({ amenity_slugs: slugs }: Pick<PropertySummaryRow, 'amenity_slugs'>): readonly string[] =>
  slugs === '' ? [] : slugs.split(' ')

function summaryOf(propertyId: string, content: VendorProperty) {
  const images = heroFirst(content.images).slice(0, IMAGES_MAX)
  const ratings = content.guestRatings
  return {
    bye_line: taglineOf(content),
    category: content.category,
    chain: content.chain,
    description: shorten(plainText(cut(content.description, DESCRIPTION_READ)), DESCRIPTION_MAX),
    guest_ratings: {
      amenities: ratings.amenities,
      cleanliness: ratings.cleanliness,
      comfort: ratings.comfort,
      condition: ratings.condition,
      overall: ratings.overall,
      service: ratings.service,
      count: ratings.count,
    },
    hero_images: sizesOf(images[0]),
    images: images.map((image) => ({ caption: image.caption, images: sizesOf(image) })),
    location: { lat: content.location.lat, lon: content.location.lon },
    name: content.name,
    popular_amenities: content.popularAmenities.slice(0, AMENITIES_MAX),
    property_id: propertyId,
    review_count: content.reviewCount,
    star_rating: content.starRating,
  }
}

const NAME = '"name":'
const AFTER_NAME = ',"popular_amenities":'

/** The name out of a summary's JSON. Quotes inside a text are escaped, so nothing else can look like these members. */
export function nameIn(summary: Buffer): string {
  const from = summary.indexOf(NAME) + NAME.length
  return JSON.parse(summary.toString('utf8', from, summary.indexOf(AFTER_NAME, from))) as string
}

type Image = VendorProperty['images'][number]

const sizesOf = (image: Image | undefined) => ({
  hi: image?.hi ?? '',
  lo: image?.lo ?? '',
  med: image?.med ?? '',
})

function heroFirst(images: readonly Image[]): readonly Image[] {
  const hero = images.findIndex((image) => image.hero)
  if (hero <= 0) return images
  return [...images.slice(hero, hero + 1), ...images.slice(0, hero), ...images.slice(hero + 1)]
}

/** Ends at a word, and says that there was more. */
function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const room = cut(text, most - 1)
  const word = room.lastIndexOf(' ')
  return `${word > most / 2 ? room.slice(0, word) : room}…`
}
