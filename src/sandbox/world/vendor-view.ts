import type { SandboxVendor, VendorView, WorldProperty } from './contract.ts'
import { ASPECT, createRandom, hash, share } from './hash.ts'
import { movedBy } from './position.ts'
import { respellAddress, respellChain, respellName, respellPhone } from './respelling.ts'
import { vendorIdOf } from './vendor-ids.ts'

const VENDOR_SALT: Record<SandboxVendor, number> = { expedia_rapid: 1, hotelbeds: 2 }

/** Of all buildings 55 % are sold by both, 20 % by each alone, and 5 % by nobody. */
export function isSoldBy(vendor: SandboxVendor, key: number): boolean {
  const draw = share(key, ASPECT.coverage)
  return vendor === 'expedia_rapid' ? draw < 0.75 : draw < 0.55 || (draw >= 0.75 && draw < 0.95)
}

/** The building as this vendor wrote it down: another hand, another map, a gap here and there. */
export function viewOf(vendor: SandboxVendor, property: WorldProperty): VendorView | undefined {
  if (!isSoldBy(vendor, property.key)) return undefined
  const random = createRandom(hash(property.key, ASPECT.view, VENDOR_SALT[vendor]))
  return {
    vendorPropertyId: vendorIdOf(vendor, property.key),
    name: respellName(property.name, property.place.name, vendor, random),
    point: movedBy(property.point, ((random.chance(0.04) ? 150 : 80) * random.next() ** 1.5) / 1000, random.next()),
    address: respellAddress(property.address, random),
    phone: respellPhone(property.phone, random),
    stars: starsSeen(property.stars, random.next()),
    chain: respellChain(property.chain, random),
    priceFactor: 0.94 + 0.14 * random.next(),
  }
}

/** Mostly right; sometimes half a star off, sometimes missing. */
function starsSeen(stars: number, draw: number): number {
  if (draw < 0.05) return 0
  if (draw < 0.11) return Math.min(5, stars + 0.5)
  if (draw < 0.17) return Math.max(1, stars - 0.5)
  return stars
}
