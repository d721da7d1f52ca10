import type { WorldProperty } from '../contract.ts'
import { ASPECT, at, createRandom, hash } from '../hash.ts'
import { positionOf } from '../places/position.ts'
import { minorOf, rounded } from '../prices/exchange.ts'
import { roomsOf } from '../rooms/rooms.ts'
import { addressOf, phoneOf } from './address.ts'
import { amenitiesOf } from './amenities.ts'
import { mailOf } from './mail.ts'
import { nameOf } from './naming.ts'
import { picturesOf } from './picture-list.ts'
import { ratingsOf } from './ratings.ts'
import { headlineOf, paragraphsOf } from './texts.ts'
import type { Traits } from './traits.ts'

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] }

/** The whole property. Texts, rooms and pictures are written when first read: most callers want only a few of them. */
export function buildProperty(traits: Traits, count: number): WorldProperty {
  const { place } = traits
  const name = nameOf(traits)
  const amenities = amenitiesOf(traits)
  const amenitySet = new Set(amenities)
  const lazy: Partial<Pick<Mutable<WorldProperty>, 'rooms' | 'paragraphs' | 'pictures' | 'ratings'>> = {}
  return {
    key: traits.key,
    place,
    name,
    chain: traits.chain?.name ?? '',
    kind: traits.kind,
    stars: traits.stars,
    point: positionOf(place, traits.n, count),
    address: addressOf(traits),
    phone: phoneOf(traits),
    get email() {
      return mailOf(name)
    },
    get ratings() {
      lazy.ratings ??= ratingsOf(traits)
      return lazy.ratings
    },
    amenities,
    get headline() {
      return headlineOf(traits)
    },
    get paragraphs() {
      lazy.paragraphs ??= paragraphsOf(traits, name, amenitySet, this.rooms)
      return lazy.paragraphs
    },
    get rooms() {
      lazy.rooms ??= roomsOf(traits, amenitySet)
      return lazy.rooms
    },
    get pictures() {
      lazy.pictures ??= picturesOf(traits, amenitySet, this.rooms)
      return lazy.pictures
    },
    ...timesOf(traits),
    currency: traits.country.currency,
    policies: policiesOf(traits),
  }
}

function timesOf({ rootKey, kind }: Traits): Pick<WorldProperty, 'checkInTime' | 'checkOutTime'> {
  const random = createRandom(hash(rootKey, ASPECT.policies))
  return {
    checkInTime:
      kind === 'apartment' ? '16:00' : random.pick(['14:00', '14:00', '15:00', '15:00', '15:00', '16:00', '13:00']),
    checkOutTime: random.pick(['10:00', '11:00', '11:00', '11:00', '12:00', '12:00', '10:30']),
  }
}

function policiesOf({ rootKey, stars, kind, country, setting }: Traits): WorldProperty['policies'] {
  const draw = hash(rootKey, ASPECT.policies, 1)
  // Most towns with a city tax charge more for more stars.
  const cityTax = (country.cityTaxUsCents / 100) * (0.4 + 0.2 * stars)
  const wantsFee =
    kind === 'resort' ? draw % 100 < 30 : setting === 'city' && stars >= 4 && country.style === 'us' && draw % 100 < 35
  const fee = wantsFee ? minorOf(at([8, 12, 18, 25, 35], draw >>> 8), country.currency) : 0
  return {
    freeCancelHours: at([0, 24, 24, 24, 48, 48, 72, 168], draw >>> 4),
    cityTaxPerPersonNightMinor:
      cityTax === 0 ? 0 : Math.max(1, Math.round(minorOf(cityTax, country.currency) / 10) * 10),
    resortFeePerNightMinor: fee === 0 ? 0 : rounded(fee),
  }
}
