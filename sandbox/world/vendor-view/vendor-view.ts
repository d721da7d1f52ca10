import { memoize } from '../../../src/lib/async/memoize.ts'
import type { Coverage, Seller, VendorView, VendorWorld, World, WorldProperty } from '../contract.ts'
import { ASPECT, createRandom, hash, hashShare } from '../hash.ts'
import { movePoint } from '../places/position.ts'
import { respellAddress, respellChain, respellName, respellPhone } from './respelling.ts'
import { addNumberRange, adornName, coarsenPoint, reservationName } from './vendor-habits.ts'
import { fromVendorId, toVendorId } from './vendor-ids.ts'

/** A feed reads one country after the other. */
const COUNTRIES_KEPT = 4

export function createVendorWorld(seller: Seller, world: World): VendorWorld {
  const { salt, coverage } = seller
  const isSold = (key: number) => isCovered(coverage, key)
  const isListed = (key: number) => isSold(key) || isSpare(seller, key)
  const listed = createListing(seller, world)
  const keysIn = memoize(COUNTRIES_KEPT, (countryCode: string) => world.keysIn(countryCode).filter(isListed))
  const views = new WeakMap<WorldProperty, VendorView>()
  const cachedView = (property: WorldProperty): VendorView => {
    const view = views.get(property) ?? createView(seller, property)
    views.set(property, view)
    return view
  }
  const soldShare = coverage.reduce((sum, [from, to]) => sum + to - from, 0)
  return {
    near: (circle, limit) => world.near(circle, limit).map(listed),
    property: world.property,
    rates: world.rates,
    view: (property) => (isSold(property.key) ? cachedView(property) : undefined),
    byVendorId(vendorPropertyId) {
      if (!(Number.isInteger(vendorPropertyId) && vendorPropertyId >= 0 && vendorPropertyId < 2 ** 32)) return undefined
      const property = world.property(fromVendorId(salt, vendorPropertyId))
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
    size: () => Math.round(world.size() * soldShare),
  }
}

/** True if the vendor does not sell this property but uses its key to list a neighbour a second time. */
const isSpare = ({ salt, coverage }: Seller, key: number): boolean =>
  !isCovered(coverage, key) && hashShare(key, ASPECT.habits, salt) < 0.012 && isCovered(coverage, neighbourKey(key))

const neighbourKey = (key: number): number => (key % 2 === 0 ? key + 1 : key - 1)

/** Returns the property that the vendor lists under a key: itself, or its neighbour again. */
function createListing(seller: Seller, world: World) {
  return (property: WorldProperty): WorldProperty => {
    if (property.listedAs !== undefined || !isSpare(seller, property.key)) return property
    const neighbour = world.property(neighbourKey(property.key))
    // Inherits from the neighbour, including its lazily computed fields.
    return neighbour === undefined ? property : Object.create(neighbour, { listedAs: { value: property.key } })
  }
}

function isCovered(coverage: Coverage, key: number): boolean {
  const draw = hashShare(key, ASPECT.coverage)
  return coverage.some(([from, to]) => draw >= from && draw < to)
}

/** The property as this vendor describes it: other spelling, other coordinates, some fields missing. */
function createView({ salt, withoutPhones = false }: Seller, property: WorldProperty): VendorView {
  const key = property.listedAs ?? property.key
  const random = createRandom(hash(key, ASPECT.view, salt))
  const habits = createRandom(hash(key, ASPECT.habits, salt))
  const name = respellName(property.name, property.place.name, prefersAscii(salt), random)
  const point = movePoint(
    property.point,
    ((random.chance(0.04) ? 150 : 80) * random.next() ** 1.5) / 1000,
    random.next(),
  )
  const address = respellAddress(property.address, random)
  const adorned = adornName(name, property, habits)
  return {
    vendorPropertyId: toVendorId(salt, key),
    name: prefersAscii(salt) && habits.chance(0.1) ? reservationName(adorned, habits) : adorned,
    point: coarsenPoint(point, habits),
    address: { ...address, line1: addNumberRange(address.line1, habits) },
    phone: withoutPhones ? '' : respellPhone(property.phone, random),
    stars: respellStars(property.stars, random.next()),
    chain: respellChain(property.chain, random),
    priceFactor: 0.94 + 0.14 * random.next(),
  }
}

/** Every second vendor drops accents from most names and writes some in capitals. */
const prefersAscii = (salt: number): boolean => salt % 2 === 0

/** Mostly right; sometimes half a star off, sometimes missing. */
function respellStars(stars: number, draw: number): number {
  if (draw < 0.05) return 0
  if (draw < 0.11) return Math.min(5, stars + 0.5)
  if (draw < 0.17) return Math.max(1, stars - 0.5)
  return stars
}
