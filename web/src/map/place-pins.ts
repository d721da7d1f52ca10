import type { Summary } from '../api/shapes.ts'
import { type Size, toPixels, type View } from './view.ts'

/** A price on the map, with the stays that would lie beneath it. */
export type Pin = {
  readonly property: Summary
  readonly x: number
  readonly y: number
  readonly covers: readonly Summary[]
}

const PINS_MAX = 50
const APART_X = 74
const APART_Y = 34

/**
 * Few, well-placed pins: the first of the list get one each; a stay that would overlap joins the pin it would overlap,
 * and one for which there is no pin left joins the nearest.
 */
export function placePins(properties: readonly Summary[], view: View, size: Size, margin = 60): Pin[] {
  const pins: { property: Summary; x: number; y: number; covers: Summary[] }[] = []
  for (const property of properties) {
    const [x, y] = toPixels(property.location, view, size)
    if (x < -margin || y < -margin || x > size.width + margin || y > size.height + margin) continue
    const over = pins.find((pin) => Math.abs(pin.x - x) < APART_X && Math.abs(pin.y - y) < APART_Y)
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
