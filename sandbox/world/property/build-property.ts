import type { WorldProperty } from '../contract.ts'
import { ASPECT, createRandom, hash, itemAt } from '../hash.ts'
import { computePosition } from '../places/position.ts'
import { dollarsToMinor, roundPrice } from '../prices/exchange.ts'
import { createRooms } from '../rooms/rooms.ts'
import { createAddress, createPhone } from './address.ts'
import { drawAmenities } from './amenities.ts'
import { createEmail } from './mail.ts'
import { createName } from './naming.ts'
import { listPictures } from './picture-list.ts'
import { drawRatings } from './ratings.ts'
import { writeHeadline, writeParagraphs } from './texts.ts'
import type { Traits } from './traits.ts'

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] }

/**
 * Builds a property. Texts, rooms and pictures are created on first access, because most callers need only a few of
 * them.
 */
export function buildProperty(traits: Traits, count: number): WorldProperty {
  const { place } = traits
  const name = createName(traits)
  const amenities = drawAmenities(traits)
  const amenitySet = new Set(amenities)
  const lazy: Partial<Pick<Mutable<WorldProperty>, 'rooms' | 'paragraphs' | 'pictures' | 'ratings'>> = {}
  return {
    key: traits.key,
    place,
    name,
    chain: traits.chain?.name ?? '',
    kind: traits.kind,
    stars: traits.stars,
    point: computePosition(place, traits.n, count),
    address: createAddress(traits),
    phone: createPhone(traits),
    get email() {
      return createEmail(name)
    },
    get ratings() {
      lazy.ratings ??= drawRatings(traits)
      return lazy.ratings
    },
    amenities,
    get headline() {
      return writeHeadline(traits)
    },
    get paragraphs() {
      lazy.paragraphs ??= writeParagraphs(traits, name, amenitySet, this.rooms)
      return lazy.paragraphs
    },
    get rooms() {
      lazy.rooms ??= createRooms(traits, amenitySet)
      return lazy.rooms
    },
    get pictures() {
      lazy.pictures ??= listPictures(traits, amenitySet, this.rooms)
      return lazy.pictures
    },
    ...drawCheckTimes(traits),
    currency: traits.country.currency,
    policies: drawPolicies(traits),
  }
}

function drawCheckTimes({ rootKey, kind }: Traits): Pick<WorldProperty, 'checkInTime' | 'checkOutTime'> {
  const random = createRandom(hash(rootKey, ASPECT.policies))
  return {
    checkInTime:
      kind === 'apartment' ? '16:00' : random.pick(['14:00', '14:00', '15:00', '15:00', '15:00', '16:00', '13:00']),
    checkOutTime: random.pick(['10:00', '11:00', '11:00', '11:00', '12:00', '12:00', '10:30']),
  }
}

function drawPolicies({ rootKey, stars, kind, country, setting }: Traits): WorldProperty['policies'] {
  const draw = hash(rootKey, ASPECT.policies, 1)
  // Most towns with a city tax charge more for more stars.
  const cityTax = (country.cityTaxUsCents / 100) * (0.4 + 0.2 * stars)
  const chargesFee =
    kind === 'resort' ? draw % 100 < 30 : setting === 'city' && stars >= 4 && country.style === 'us' && draw % 100 < 35
  const fee = chargesFee ? dollarsToMinor(itemAt([8, 12, 18, 25, 35], draw >>> 8), country.currency) : 0
  return {
    freeCancelHours: itemAt([0, 24, 24, 24, 48, 48, 72, 168], draw >>> 4),
    cityTaxPerPersonNightMinor:
      cityTax === 0 ? 0 : Math.max(1, Math.round(dollarsToMinor(cityTax, country.currency) / 10) * 10),
    resortFeePerNightMinor: fee === 0 ? 0 : roundPrice(fee),
  }
}
