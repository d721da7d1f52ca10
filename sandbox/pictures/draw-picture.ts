import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash, hashText, itemAt } from '../world/hash.ts'
import { DAYLIGHTS, findLight, type Light } from './light.ts'

const WIDTH_MIN = 16
const WIDTH_MAX = 4000
/** Pictures with a sky and a tint for the time of day. */
const OUTDOORS = /^(facade|view|pool)\b/
/** Drawings for unknown rooms and views; every other unknown kind shows a street front. */
const FALLBACKS = new Map([
  ['room', 'room-double'],
  ['view', 'view-village'],
])

const FILES = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.svg'))

/**
 * A flat 4:3 illustration instead of a photograph, as an SVG of a few kilobytes. Everything important is in the middle
 * three quarters of its height, so that it can be cropped to 16:9. The property key selects the drawing, colours, time
 * of day and side; a building looks the same by day and by night.
 */
export function drawPicture(propertyKey: number, kind: string, width: number): string {
  const [name = '', word = '', hour] = kind.split('_')
  const seed = hash(propertyKey, hashText(name === 'facade' ? `facade_${word}` : kind))
  const file = itemAt(findDrawings(name, word), seed)
  const light = findLight(hour === 'night' ? hour : itemAt(DAYLIGHTS, hash(seed, 1)))
  const isOutdoors = OUTDOORS.test(file)
  const inner = isOutdoors
    ? paint(`${light.sky}.svg`, light, 0, seed) + paint(file, light, light.share, seed)
    : paint(file, light, 0, seed)
  const w = Math.round(Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, Number.isFinite(width) ? width : 800)))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${Math.round(w * 0.75)}" viewBox="0 0 800 600" preserveAspectRatio="xMidYMid slice"><g transform="${createTransform(seed)}">${inner}</g></svg>`
}

/** `room_double_2` is `room-double.svg`, `facade_city` one of `facade-city-….svg`. */
function findDrawings(name: string, word: string): readonly string[] {
  const stems = [`${name}-${word}`, name, FALLBACKS.get(name) ?? 'facade-city']
  const found = stems.map((stem) => FILES.filter((file) => file === `${stem}.svg` || file.startsWith(`${stem}-`)))
  return found.find((files) => files.length > 0) ?? []
}

const ZOOMS = [1, 1.03, 1.06, 1.09]

/** Mirrors and zooms the drawing without moving the ground. */
function createTransform(seed: number): string {
  const zoom = itemAt(ZOOMS, hash(seed, 2))
  const isMirrored = hash(seed, 3) % 2 === 0
  const x = Math.round(400 * (isMirrored ? 1 + zoom : 1 - zoom))
  return `matrix(${isMirrored ? -zoom : zoom} 0 0 ${zoom} ${x} ${Math.round(520 * (1 - zoom))})`
}

type Drawing = {
  readonly body: string
  /** Alternative colours by variable. */
  readonly palettes: ReadonlyMap<string, readonly string[]>
  /** In order of dependency. */
  readonly variables: readonly (readonly [name: string, value: string])[]
}

const drawings = new Map<string, Drawing>()

/** The root element has the variables in `style`, and alternative colours of a variable in `data-NAME`. */
function readDrawing(file: string): Drawing {
  const known = drawings.get(file)
  if (known !== undefined) return known
  const [, root = '', body = ''] =
    /^<svg ([^>]*)>\s*(.*?)\s*<\/svg>\s*$/s.exec(readFileSync(join(import.meta.dirname, file), 'utf8')) ?? []
  const palettes = [...root.matchAll(/data-([\w-]+)="([^"]*)"/g)].map(
    ([, name = '', colours = '']) => [name, colours.split(' ')] as const,
  )
  const variables = [...root.matchAll(/--([\w-]+):([^;"]+)/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  )
  const drawing = { body, palettes: new Map(palettes), variables }
  drawings.set(file, drawing)
  return drawing
}

const MIX = /^color-mix\(in srgb,(\S+),(\S+) (\S+)\)$/
const VARIABLE = /var\(--([\w-]+)\)/g
const COLOUR = /#[0-9a-f]{6}\b/g

/** Replaces the variables of a drawing, and tints colours that the light does not set. */
function paint(file: string, light: Light, share: number, seed: number): string {
  const { body, palettes, variables } = readDrawing(file)
  const values = new Map(Object.entries(light.variables))
  const tint = (text: string) => text.replace(COLOUR, (colour) => mix(colour, light.tint, share))
  const fill = (text: string) => text.replace(VARIABLE, (_, name) => values.get(name) ?? '')
  for (const [name, initial] of variables) {
    if (Object.hasOwn(light.variables, name)) continue
    const palette = palettes.get(name)
    // Variables of one scheme are chosen together: `scheme-wall` goes with `scheme-floor`.
    const choice = palette === undefined ? initial : itemAt(palette, hash(seed, hashText(name.split('-')[0] ?? '')))
    const value = fill(tint(choice))
    const [, from = '', to = '', percent = ''] = MIX.exec(value) ?? []
    values.set(name, from === '' ? value : mix(from, to, Number.parseInt(percent, 10)))
  }
  return fill(tint(body))
}

/** Mixes two colours, both written #rrggbb; `percent` is the share of the second. */
function mix(a: string, b: string, percent: number): string {
  const from = Number.parseInt(a.slice(1), 16)
  const to = Number.parseInt(b.slice(1), 16)
  const channel = (shift: number) => {
    const low = (from >> shift) & 255
    return Math.round(low + ((((to >> shift) & 255) - low) * percent) / 100) << shift
  }
  return `#${(channel(16) | channel(8) | channel(0)).toString(16).padStart(6, '0')}`
}
