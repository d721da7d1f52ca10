import { amenityLabel } from '../../domain/amenity.ts'
import type { VendorProperty } from '../../domain/property.ts'
import { remember } from '../../lib/remember.ts'
import { share } from './draw.ts'
import { HOUSES, type House } from './houses.ts'
import { picturesOf } from './pictures.ts'
import { describeRoom, roomKindsOf } from './rooms.ts'
import type { Site } from './town.ts'
import { SIMULATOR_IDS, type SimulatorId, vendorPropertyIdOf } from './vendor-ids.ts'

export function houseOf(site: Site): House {
  const house = HOUSES[site.house]
  if (house === undefined) throw new Error(`no house ${site.house}`)
  return house
}

/** Which vendors sell the property. One that we never listed is sold by both, so that any id can be tried. */
export function sellersOf(site: Site): readonly SimulatorId[] {
  const { onlyAt } = houseOf(site)
  return onlyAt === undefined || !site.isListed ? SIMULATOR_IDS : [onlyAt]
}

/** The property as one vendor describes it. */
export function describeProperty(vendorId: SimulatorId, site: Site): VendorProperty {
  const house = houseOf(site)
  const { propertyId } = site
  const { popular, byHeading } = amenitiesOf(house)
  const reviews = 20 + Math.floor(share('reviews', propertyId) * 1_400)
  return {
    vendorId,
    vendorPropertyId: vendorPropertyIdOf(vendorId, propertyId),
    name: house.name,
    byeLine: house.byeLine,
    category: house.category,
    chain: house.chain,
    description: `<p>${house.about}</p><p>${house.byeLine}.</p>`,
    starRating: house.stars,
    guestRatings: ratingsOf(propertyId, house, reviews),
    reviewCount: reviews,
    images: picturesOf(propertyId),
    location: site.point,
    address: {
      line1: `${1 + Math.floor(share('street', propertyId) * 140)} Market Street`,
      line2: '',
      city: 'Simulated Town',
      region: '',
      postalCode: '',
      countryCode: '',
    },
    phone: '',
    popularAmenities: popular,
    amenitiesByCategory: byHeading,
    amenitySlugs: house.amenities,
    checkInTime: '15:00',
    checkOutTime: '11:00',
    rooms: roomKindsOf(house).map((kind) => describeRoom(vendorId, site, kind)),
  }
}

/** Better houses are liked better, each mark a little off the others. */
function ratingsOf(propertyId: string, house: House, count: number) {
  const middle = 3.6 + house.stars * 0.14 + share('liked', propertyId) * 0.5
  const mark = (aspect: string) =>
    Number(Math.min(5, Math.max(1, middle + share(aspect, propertyId) * 0.4 - 0.2)).toFixed(1))
  return {
    amenities: mark('amenities'),
    cleanliness: mark('cleanliness'),
    comfort: mark('comfort'),
    condition: mark('condition'),
    overall: Number(Math.min(5, middle).toFixed(1)),
    service: mark('service'),
    count,
  }
}

const HEADINGS: readonly (readonly [heading: string, slugs: readonly string[]])[] = [
  ['Food and drink', ['breakfast', 'restaurant', 'bar', 'room_service', 'kitchen']],
  ['Wellness', ['spa', 'fitness', 'indoor_pool', 'outdoor_pool']],
  ['Getting around', ['parking', 'free_parking', 'ev_charging', 'airport_shuttle', 'elevator', 'wheelchair']],
]

/** In words for people; the same wherever the house stands. */
const amenitiesOf = remember(HOUSES.length, (house: House) => ({
  popular: house.amenities.slice(0, 6).map(amenityLabel),
  byHeading: byCategory(house),
}))

function byCategory(house: House): Record<string, string[]> {
  const groups: Record<string, string[]> = {}
  for (const slug of house.amenities) {
    const heading = HEADINGS.find(([, slugs]) => slugs.includes(slug))?.[0] ?? 'Other'
    groups[heading] = [...(groups[heading] ?? []), amenityLabel(slug)]
  }
  return groups
}
