import type { Summary } from '../api/shapes.ts'

/** A price on the map and the stays it represents. */
export type Pin = {
  /** The cheapest stay. */
  readonly property: Summary
  /** Location of the first of its stays, so that pins do not overlap. */
  readonly at: Summary['location']
  readonly stays: readonly Summary[]
}

export type Spot = { readonly x: number; readonly y: number }
type Size = { readonly width: number; readonly height: number; readonly pinWidth: number }

export const MAX_PINS = 50
const PIN_HEIGHT = 36
/** Borders, padding, and the number of other stays, such as "+30". */
const PIN_FRAME = 50
const CHARACTER_WIDTH = 7.5

/** Space that a pin needs for the longest of these prices. */
export const measurePins = (prices: readonly string[]): number =>
  PIN_FRAME + CHARACTER_WIDTH * Math.max(0, ...prices.map((price) => price.length))
const MARGIN = 60

/** The first stays of the list get a pin each. A stay joins a pin it would overlap, or the nearest one if all pins are used. */
export function placePins(properties: readonly Summary[], project: (property: Summary) => Spot, size: Size): Pin[] {
  const pins: { spot: Spot; stays: Summary[] }[] = []
  for (const property of properties) {
    const spot = project(property)
    if (!isInView(spot, size)) continue
    const over = pins.find(
      ({ spot: { x, y } }) => Math.abs(x - spot.x) < size.pinWidth && Math.abs(y - spot.y) < PIN_HEIGHT,
    )
    const joined = over ?? (pins.length < MAX_PINS ? undefined : findNearest(pins, spot))
    if (joined === undefined) pins.push({ spot, stays: [property] })
    else joined.stays.push(property)
  }
  return pins.flatMap(({ stays }) => {
    const [first] = stays
    const byPrice = stays.toSorted((a, b) => a.total_price - b.total_price)
    const [property] = byPrice
    if (first === undefined || property === undefined) return []
    return [{ property, at: first.location, stays: byPrice }]
  })
}

/** Short form with the same mark as on the card: `≈ €120`. */
export function formatPinPrice(
  { property }: Pick<Pin, 'property'>,
  roundMoney: (amount: number, currency: string) => string,
): string {
  const amount = roundMoney(property.total_price, property.currency)
  return property.converted ? `≈ ${amount}` : amount
}

const isInView = ({ x, y }: Spot, { width, height }: Size): boolean =>
  x > -MARGIN && y > -MARGIN && x < width + MARGIN && y < height + MARGIN

function findNearest<T extends { readonly spot: Spot }>(pins: readonly T[], { x, y }: Spot): T | undefined {
  const far = ({ spot }: T) => (spot.x - x) ** 2 + (spot.y - y) ** 2
  return pins.reduce<T | undefined>((best, pin) => (best === undefined || far(pin) < far(best) ? pin : best), undefined)
}
