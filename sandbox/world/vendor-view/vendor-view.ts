import { remember } from '../../../src/lib/async/remember.ts'
import type { Coverage, Seller, VendorView, VendorWorld, World, WorldProperty } from '../contract.ts'
import { ASPECT, createRandom, hash, share } from '../hash.ts'
import { movedBy } from '../places/position.ts'
import { respellAddress, respellChain, respellName, respellPhone } from './respelling.ts'
import { adornName, coarsePoint, reservationName, withNumberRange } from './vendor-habits.ts'
import { keyOfVendorId, vendorIdOf } from './vendor-ids.ts'

/** A feed reads one country after the other. */
const COUNTRIES_KEPT = 4

/** The world as one vendor sells it. */
export function soldBy(seller: Seller, world: World): VendorWorld {
  const { salt, coverage } = seller
  const isSold = (key: number) => isCovered(coverage, key)
  const isListed = (key: number) => isSold(key) || isSpare(seller, key)
  const listed = createListing(seller, world)
  const keysIn = remember(COUNTRIES_KEPT, (countryCode: string) => world.keysIn(countryCode).filter(isListed))
  const views = new WeakMap<WorldProperty, VendorView>()
  const viewFor = (property: WorldProperty): VendorView => {
    const view = views.get(property) ?? viewOf(seller, property)
    views.set(property, view)
    return view
  }
  const sharesSold = coverage.reduce((sum, [from, to]) => sum + to - from, 0)
  return {
    near: (circle, limit) => world.near(circle, limit).map(listed),
    property: world.property,
    rates: world.rates,
    view: (property) => (isSold(property.key) ? viewFor(property) : undefined),
    byVendorId(vendorPropertyId) {
      if (!(Number.isInteger(vendorPropertyId) && vendorPropertyId >= 0 && vendorPropertyId < 2 ** 32)) return undefined
      const property = world.property(keyOfVendorId(salt, vendorPropertyId))
      const found = property && listed(property)
      return found && isSold(found.key) ? found : undefined
    },
    walk(after, limit) {
      const page = world.walk(isListed, after, limit)
      return { ...page, properties: page.properties.map(listed) }
    },
    inCountry(countryCode, offset, limit) {
      const keys = keysIn(countryCode)
      const found = keys.slice(offset, offset + limit).map(world.property)
      return { properties: found.filter((property) => property !== undefined).map(listed), total: keys.length }
    },
    size: () => Math.round(world.size() * sharesSold),
  }
}

/** A key of a property that the vendor does not sell, under which it lists another one for the second time. */
const isSpare = ({ salt, coverage }: Seller, key: number): boolean =>
  !isCovered(coverage, key) && share(key, ASPECT.habits, salt) < 0.012 && isCovered(coverage, neighbourOf(key))

const neighbourOf = (key: number): number => (key % 2 === 0 ? key + 1 : key - 1)

/** The property under a key as the vendor lists it: itself, or its neighbour once more. */
function createListing(seller: Seller, world: World) {
  return (property: WorldProperty): WorldProperty => {
    if (property.listedAs !== undefined || !isSpare(seller, property.key)) return property
    const neighbour = world.property(neighbourOf(property.key))
    // The neighbour stays as it is, with all that is worked out when it is first read.
    return neighbour === undefined ? property : Object.create(neighbour, { listedAs: { value: property.key } })
  }
}

function isCovered(coverage: Coverage, key: number): boolean {
  const draw = share(key, ASPECT.coverage)
  return coverage.some(([from, to]) => draw >= from && draw < to)
}

/** The property as this vendor describes it: other spelling, other coordinates, some fields missing. */
function viewOf({ salt, withoutPhones = false }: Seller, property: WorldProperty): VendorView {
  const key = property.listedAs ?? property.key
  const random = createRandom(hash(key, ASPECT.view, salt))
  const habits = createRandom(hash(key, ASPECT.habits, salt))
  const name = respellName(property.name, property.place.name, prefersAscii(salt), random)
  const point = movedBy(property.point, ((random.chance(0.04) ? 150 : 80) * random.next() ** 1.5) / 1000, random.next())
  const address = respellAddress(property.address, random)
  const adorned = adornName(name, property, habits)
  return {
    vendorPropertyId: vendorIdOf(salt, key),
    name: prefersAscii(salt) && habits.chance(0.1) ? reservationName(adorned, habits) : adorned,
    point: coarsePoint(point, habits),
    address: { ...address, line1: withNumberRange(address.line1, habits) },
    phone: withoutPhones ? '' : respellPhone(property.phone, random),
    stars: starsSeen(property.stars, random.next()),
    chain: respellChain(property.chain, random),
    priceFactor: 0.94 + 0.14 * random.next(),
  }
}

/** Every second vendor drops accents from most names and writes some in capitals. */
const prefersAscii = (salt: number): boolean => salt % 2 === 0

/** Mostly right; sometimes half a star off, sometimes missing. */
function starsSeen(stars: number, draw: number): number {
  if (draw < 0.05) return 0
  if (draw < 0.11) return Math.min(5, stars + 0.5)
  if (draw < 0.17) return Math.max(1, stars - 0.5)
  return stars
}
