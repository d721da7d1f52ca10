import type { Summary } from '../api/shapes.ts'
import { type Size, toPixels, type View } from './view.ts'

/** A price on the map, with the stays it covers. */
export type Pin = {
  readonly property: Summary
  readonly x: number
  readonly y: number
  readonly covers: readonly Summary[]
}

const PINS_MAX = 50
const PIN_WIDTH = 74
const PIN_HEIGHT = 34

/**
 * The first stays of the list get a pin each. A stay that would overlap a pin joins it; when all pins are used, a stay
 * joins the nearest.
 */
export function placePins(properties: readonly Summary[], view: View, size: Size, margin = 60): Pin[] {
  const pins: { property: Summary; x: number; y: number; covers: Summary[] }[] = []
  for (const property of properties) {
    const [x, y] = toPixels(property.location, view, size)
    if (x < -margin || y < -margin || x > size.width + margin || y > size.height + margin) continue
    const over = pins.find((pin) => Math.abs(pin.x - x) < PIN_WIDTH && Math.abs(pin.y - y) < PIN_HEIGHT)
    if (over !== undefined) over.covers.push(property)
    else if (pins.length < PINS_MAX) pins.push({ property, x, y, covers: [] })
    else nearest(pins, x, y)?.covers.push(property)
  }
  return pins
}

function nearest<T extends { x: number; y: number }>(pins: readonly T[], x: number, y: number): T | undefined {
  let best: T | undefined
  let least = Number.POSITIVE_INFINITY
  for (const pin of pins) {
    const far = (pin.x - x) ** 2 + (pin.y - y) ** 2
    if (far < least) {
      least = far
      best = pin
    }
  }
  return best
}
