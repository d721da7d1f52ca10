import { expect, test } from 'vitest'
import { createMapStyle, LIGHT } from '../../../web/src/map/map-style.ts'

/** Height of a pin and the space around it, in the letters of a small city's name. */
const PIN_HEIGHTS = 2

function findPlaces(id: string): readonly (string | readonly [number, number])[] {
  const layer = createMapStyle(LIGHT, 'http://localhost').layers.find((each) => each.id === id)
  const layout = (layer as { layout?: Record<string, unknown> } | undefined)?.layout
  return layout?.['text-variable-anchor-offset'] as readonly (string | readonly [number, number])[]
}

test('the name of a city is at its centre, or beyond the pins there', () => {
  const [anchor, offset, ...others] = findPlaces('cities')
  expect([anchor, offset]).toEqual(['center', [0, 0]])
  const distances = others.flatMap((place) => (typeof place === 'string' ? [] : Math.hypot(...place)))
  expect(Math.max(...distances)).toBeGreaterThan(PIN_HEIGHTS)
})

test('the name of a landmark is beside its dot', () => {
  for (const place of findPlaces('landmarks'))
    if (typeof place !== 'string') expect(Math.hypot(...place)).toBeCloseTo(0.55, 1)
})
