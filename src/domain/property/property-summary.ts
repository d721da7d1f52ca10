import type { Point } from '../../lib/geo.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import { foldText } from '../../lib/text/fold-text.ts'
import { truncate, truncateAtWord } from '../../lib/text/truncate.ts'
import type { VendorId } from '../offer.ts'
import { hasMandatoryFees } from './notices.ts'
import type { GuestRatings, Image, VendorProperty } from './property.ts'

/** Property without prices, as shown, filtered and ranked in search results. */
export type PropertySummary = {
  readonly propertyId: string
  readonly name: string
  /** Without case, accents and punctuation, for filters and ordering. */
  readonly nameFolded: string
  readonly tagline: string
  readonly category: string
  readonly chain: string
  /** Plain text, shortened. */
  readonly description: string
  readonly starRating: number
  readonly guestRatings: GuestRatings
  readonly reviewCount: number
  readonly location: Point
  /** Main picture first. */
  readonly images: readonly Omit<Image, 'hero'>[]
  readonly popularAmenities: readonly string[]
  readonly amenitySlugs: readonly string[]
  /** Vendors that name mandatory fees in words. Absent if there are none, and in summaries written by version 0.2.0. */
  readonly vendorsWithFees?: readonly VendorId[]
}

const IMAGES_MAX = 5
const AMENITIES_MAX = 12
const DESCRIPTION_MAX = 600
/** Enough with markup for `DESCRIPTION_MAX` characters of text. */
const DESCRIPTION_READ = 2_000

/** `contents`: of each vendor, merged in `content`. */
export function summarizeProperty(
  propertyId: string,
  content: VendorProperty,
  contents: readonly VendorProperty[] = [content],
): PropertySummary {
  const withFees = contents.filter(({ notices }) => hasMandatoryFees(notices)).map(({ vendorId }) => vendorId)
  const images = heroFirst(content.images).slice(0, IMAGES_MAX)
  return {
    propertyId,
    name: content.name,
    nameFolded: foldText(content.name),
    tagline: buildTagline(content),
    category: content.category,
    chain: content.chain,
    description: truncateAtWord(plainText(truncate(content.description, DESCRIPTION_READ)), DESCRIPTION_MAX),
    starRating: content.starRating,
    guestRatings: content.guestRatings,
    reviewCount: content.reviewCount,
    location: { lat: content.location.lat, lon: content.location.lon },
    images: images.map(({ caption, hi, med, lo }) => ({ caption, hi, med, lo })),
    popularAmenities: content.popularAmenities.slice(0, AMENITIES_MAX),
    amenitySlugs: content.amenitySlugs,
    ...(withFees.length > 0 && { vendorsWithFees: withFees }),
  }
}

function heroFirst(images: readonly Image[]): readonly Image[] {
  const hero = images.find((image) => image.hero)
  return hero === undefined ? images : [hero, ...images.filter((image) => image !== hero)]
}

/** Falls back to "4-star guest house in Zermatt" if the vendor has no tagline. */
export function buildTagline({ byeLine, category, starRating, address }: VendorProperty): string {
  if (byeLine !== '' || category === '') return byeLine
  const kind = starRating > 0 ? `${starRating}-star ${category.toLowerCase()}` : category
  return address.city === '' ? kind : `${kind} in ${address.city}`
}
