import { describe, expect, test } from 'vitest'
import { drawPicture } from '../../../sandbox/pictures/draw-picture.ts'
import { createWorld } from '../../../sandbox/world/world.ts'
import { aPlace, TEST_PLACES } from '../../support/sandbox/places.ts'

const world = createWorld({ places: TEST_PLACES })
const properties = ['Paris', 'Mykonos', 'Zermatt', 'Hallstatt'].flatMap((name) =>
  world.near({ center: aPlace(name).point, radiusKm: 12 }, 25),
)
const album = properties.flatMap(({ key, pictures }) => pictures.map(({ kind }) => ({ key, kind })))

/** True if every tag is closed in order, every attribute quoted, and no bracket or ampersand is stray. */
function isWellFormed(xml: string): boolean {
  const open: string[] = []
  const rest = xml.replace(
    /<(\/?)([A-Za-z]+)((?: [A-Za-z0-9:-]+="[^"<&]*")*) ?(\/?)>/g,
    (_, closing, name, __, single) => {
      if (closing) return open.pop() === name ? '' : '!'
      if (!single) open.push(name)
      return ''
    },
  )
  return rest === '' && open.length === 0
}

describe('pictures', () => {
  test('pictures are well-formed, small and self-contained', () => {
    for (const { key, kind } of album) {
      const svg = drawPicture(key, kind, 640)
      if (!isWellFormed(svg)) throw new Error(`${kind} of ${key} is not well-formed`)
      expect(svg).not.toMatch(
        /NaN|undefined|var\(|color-mix|<script|href="(?!#\w+")|https?:(?!\/\/www\.w3\.org\/2000\/svg")|url\((?!#)|@import| on\w+=/,
      )
      expect(svg.length).toBeGreaterThan(1000)
      expect(svg.length).toBeLessThan(13_000)
    }
  })

  test('every reference inside a picture exists', () => {
    for (const { key, kind } of album) {
      const svg = drawPicture(key, kind, 640)
      const ids = new Set([...svg.matchAll(/ id="(\w+)"/g)].map((match) => match[1]))
      for (const [, id] of svg.matchAll(/(?:url\(|href=")#(\w+)/g)) expect([kind, ids.has(id)]).toEqual([kind, true])
    }
  })

  test('pictures are deterministic and differ between properties', () => {
    const fronts = properties.map(({ key }) => drawPicture(key, 'facade_city', 400))
    expect(drawPicture(properties[0]?.key ?? 0, 'facade_city', 400)).toBe(fronts[0])
    // Compares more than the viewing side.
    const drawn = fronts.map((svg) => svg.replace(/<g transform="matrix[^>]*>/, ''))
    expect(new Set(drawn).size).toBe(fronts.length)
  })

  test('a building has the same shape and side at night', () => {
    for (const { key } of properties) {
      const shapes = ['facade_city', 'facade_city_night'].map((kind) => {
        const svg = drawPicture(key, kind, 400)
        return [
          /matrix[^"]*/.exec(svg)?.[0],
          svg
            .slice(svg.indexOf('</radialGradient>'))
            .match(/ d="[^"]*"/g)
            ?.slice(-5),
        ]
      })
      expect(shapes[1]).toEqual(shapes[0])
    }
  })

  test('pictures have the requested width within limits, at 4:3', () => {
    expect(drawPicture(1, 'lobby', 640)).toContain('width="640" height="480" viewBox="0 0 800 600"')
    for (const width of [Number.NaN, -5, Number.POSITIVE_INFINITY, 1e9]) {
      expect(drawPicture(1, 'lobby', width)).toMatch(/ width="\d{2,4}" height="\d{2,4}"/)
    }
  })

  test('an unknown kind gives a picture, and its text is never written into the markup', () => {
    for (const kind of [
      '',
      '__proto__',
      'constructor',
      'room_"><script>',
      'facade_<b>_night',
      'view_</svg>',
      'toString',
    ]) {
      const svg = drawPicture(12_345, kind, 320)
      expect(isWellFormed(svg)).toBe(true)
      expect(svg).not.toContain('script')
    }
  })
})
