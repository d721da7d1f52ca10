import type { Summary } from '../api/shapes.ts'

/** A price on the map, with the stays that it covers. */
export type Pin = {
  /** The cheapest. */
  readonly property: Summary
  /** Where the pin stands: at the first of its stays, so that pins do not overlap. */
  readonly at: Summary['location']
  readonly stays: readonly Summary[]
}

export type Spot = { readonly x: number; readonly y: number }
type Size = { readonly width: number; readonly height: number }

export const PINS_MAX = 50
const PIN = { width: 78, height: 36 }
const MARGIN = 60

/**
 * The first stays of the list get a pin each. A stay whose pin would overlap one joins it, and when all pins are used a stay
 * joins the nearest.
 */
export function placePins(properties: readonly Summary[], spotOf: (property: Summary) => Spot, size: Size): Pin[] {
  const pins: { spot: Spot; stays: Summary[] }[] = []
  for (const property of properties) {
    const spot = spotOf(property)
    if (!isNear(spot, size)) continue
    const over = pins.find(
      ({ spot: { x, y } }) => Math.abs(x - spot.x) < PIN.width && Math.abs(y - spot.y) < PIN.height,
    )
    const joined = over ?? (pins.length < PINS_MAX ? undefined : nearest(pins, spot))
    if (joined === undefined) pins.push({ spot, stays: [property] })
    else joined.stays.push(property)
  }
  return pins.flatMap(({ stays }) => {
    const [first] = stays
    const byPrice = stays.toSorted((a, b) => a.total_price - b.total_price)
    const [property] = byPrice
    return first === undefined || property === undefined ? [] : [{ property, at: first.location, stays: byPrice }]
  })
}

const isNear = ({ x, y }: Spot, { width, height }: Size): boolean =>
  x > -MARGIN && y > -MARGIN && x < width + MARGIN && y < height + MARGIN

function nearest<T extends { readonly spot: Spot }>(pins: readonly T[], { x, y }: Spot): T | undefined {
  const far = ({ spot }: T) => (spot.x - x) ** 2 + (spot.y - y) ** 2
  return pins.reduce<T | undefined>((best, pin) => (best === undefined || far(pin) < far(best) ? pin : best), undefined)
}
