import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderPicture } from '../../../sandbox/pictures/picture-path.ts'

const readWidth = (path: string) => Number(/ width="(\d+)"/.exec(renderPicture(path)?.svg ?? '')?.[1])

test('the URLs of both vendors give the same picture at different widths', () => {
  expect(readWidth('/765057792/facade_city.svg?w=350')).toBe(350)
  expect(readWidth('765057792/facade_city.svg')).toBe(320)
  expect(readWidth('bigger/765057792/facade_city.svg')).toBe(800)
  expect(readWidth('/medium/765057792/facade_city_night.svg')).toBe(117)
  const inside = (path: string) => renderPicture(path)?.svg.replace(/ width="\d+" height="\d+"/, '')
  expect(inside('bigger/765057792/room_double_2.svg')).toBe(inside('765057792/room_double_2.svg?w=1000'))
})

test.each([
  '',
  '/',
  '../1/lobby.svg',
  'huge/1/lobby.svg',
  '4294967296/lobby.svg',
  '1/lobby.png',
  '1/../lobby.svg',
  '1/a_b_c_d.svg',
  '1/LOBBY.svg',
  `1/${'a'.repeat(500)}.svg`,
  'constructor/1/lobby.svg',
])('"%s" is not a picture', (path) => {
  expect(renderPicture(path)).toBeUndefined()
})

test('no path causes an error, and no part of a path is written into a picture', () => {
  fc.assert(fc.property(fc.string(), (text) => void renderPicture(text)))
  fc.assert(
    fc.property(fc.nat(), fc.stringMatching(/^[a-z]{1,12}(_[a-z0-9]{1,12}){0,2}$/), fc.string(), (key, kind, query) => {
      const svg = renderPicture(`${key}/${kind}.svg?w=${query}`)?.svg
      expect(svg).toMatch(/^<svg .*<\/svg>$/s)
      expect(svg).not.toMatch(/NaN|undefined|<script/)
    }),
  )
})
