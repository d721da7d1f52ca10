import { createRandom, hash, hashText, type Random } from '../world/hash.ts'
import { bedroom } from './bedroom.ts'
import { facadeBeach } from './facade-beach.ts'
import { facadeCity } from './facade-city.ts'
import { facadeMountain } from './facade-mountain.ts'
import { facadeVillage } from './facade-village.ts'
import { bar, bathroom, breakfast, lobby, restaurant, spa } from './interiors.ts'
import { type Light, nightLight, pickLight } from './light.ts'
import { pool, view } from './outdoors.ts'

const WIDTH_MIN = 16
const WIDTH_MAX = 4000

const FACADES: Record<string, (light: Light, random: Random) => string> = {
  city: facadeCity,
  beach: facadeBeach,
  mountain: facadeMountain,
  village: facadeVillage,
}

const SCENES: Record<string, (random: Random, words: readonly string[], key: number) => string> = {
  facade: (random, [setting = 'city', hour]) => {
    const light = pickLight(random)
    return (FACADES[setting] ?? facadeCity)(hour === 'night' ? nightLight : light, random)
  },
  view: (random, [setting = 'city']) => view(pickLight(random), random, setting),
  pool: (random) => pool(pickLight(random), random),
  room: (random, [beds = 'double', number]) => bedroom(random, beds, Number(number ?? 1) || 1),
  lobby,
  bathroom,
  restaurant,
  bar,
  breakfast,
  spa,
}

/** Scenes drawn as one looks at them from either side; the rest has writing or a fixed left and right. */
const MIRRORED = new Set(['facade', 'pool', 'view', 'lobby', 'bathroom', 'restaurant', 'breakfast', 'spa'])

/**
 * A flat illustration in place of a photograph, 4:3, as an SVG of a few kilobytes; everything that matters stays in
 * the middle three quarters of its height, so that it may be cropped to 16:9. A building looks the same by day and by
 * night; a kind nobody knows is drawn as a street front.
 */
export function drawPicture(propertyKey: number, kind: string, width: number): string {
  const [name = '', ...words] = kind.split('_')
  const scene = Object.hasOwn(SCENES, name) ? SCENES[name] : SCENES.facade
  const seed = hash(propertyKey, name === 'facade' ? hashText(`facade_${words[0] ?? ''}`) : hashText(kind))
  const inner = scene?.(createRandom(seed), words, propertyKey) ?? ''
  const w = Math.round(Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, Number.isFinite(width) ? width : 800)))
  const turned =
    MIRRORED.has(name) && hash(propertyKey, 77) % 2 === 0 ? `<g transform="matrix(-1 0 0 1 800 0)">${inner}</g>` : inner
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${Math.round(w * 0.75)}" viewBox="0 0 800 600" preserveAspectRatio="xMidYMid slice">${turned}</svg>`
}
