import type { Random } from '../world/hash.ts'

/** The hour of a picture: its sky, and how it colours everything under it. */
export type Light = {
  readonly name: 'morning' | 'day' | 'golden' | 'dusk' | 'night'
  readonly sky: readonly string[]
  readonly sun: string
  readonly tint: string
  readonly tintShare: number
  /** Share of windows with a lamp on. */
  readonly lamps: number
  readonly window: string
  readonly sea: readonly [string, string]
}

const LIGHTS: Record<Light['name'], Light> = {
  morning: {
    name: 'morning',
    sky: ['#9fd0e8', '#d8ecf1', '#fbe6d4'],
    sun: '#fff3d4',
    tint: '#ffe6cf',
    tintShare: 0.1,
    lamps: 0.05,
    window: '#7ea3b5',
    sea: ['#6fb6c4', '#a8d8d6'],
  },
  day: {
    name: 'day',
    sky: ['#57acdf', '#a5d8f2', '#e2f3fa'],
    sun: '#fffbe8',
    tint: '#ffffff',
    tintShare: 0.03,
    lamps: 0,
    window: '#6f9cb8',
    sea: ['#2f93b5', '#7fd0cf'],
  },
  golden: {
    name: 'golden',
    sky: ['#7fb0cf', '#f6d7a7', '#f8b878'],
    sun: '#fff0c2',
    tint: '#ffab5c',
    tintShare: 0.17,
    lamps: 0.15,
    window: '#8c8a8f',
    sea: ['#5a9bb0', '#f0c795'],
  },
  dusk: {
    name: 'dusk',
    sky: ['#3a4f86', '#a87c9f', '#f7b893'],
    sun: '#ffd9a8',
    tint: '#4a3f78',
    tintShare: 0.34,
    lamps: 0.5,
    window: '#4c4f75',
    sea: ['#46608f', '#dca095'],
  },
  night: {
    name: 'night',
    sky: ['#0c1738', '#1e2f61', '#3b4f86'],
    sun: '#f3f0dc',
    tint: '#121d45',
    tintShare: 0.58,
    lamps: 0.6,
    window: '#2a3660',
    sea: ['#14234d', '#344a80'],
  },
}

export const LAMP = '#ffd88a'

export const nightLight: Light = LIGHTS.night

/** Mostly the friendly hours: a list of hotels by night would look closed. */
export const pickLight = (random: Random): Light =>
  LIGHTS[
    random.pick([
      'day',
      'day',
      'day',
      'day',
      'morning',
      'morning',
      'morning',
      'golden',
      'golden',
      'golden',
      'dusk',
      'dusk',
    ] as const)
  ]

/** Between two colours, both written #rrggbb; `share` is how much of the second. */
export function mix(a: string, b: string, share: number): string {
  const from = Number.parseInt(a.slice(1), 16)
  const to = Number.parseInt(b.slice(1), 16)
  const channel = (shift: number) => {
    const low = (from >> shift) & 255
    return Math.round(low + (((to >> shift) & 255) - low) * share) << shift
  }
  return `#${(channel(16) | channel(8) | channel(0)).toString(16).padStart(6, '0')}`
}

/** A thing's own colour under this light. */
export const under = (light: Light, color: string): string => mix(color, light.tint, light.tintShare)
export const darker = (color: string, share = 0.18): string => mix(color, '#1b1a2e', share)
export const lighter = (color: string, share = 0.3): string => mix(color, '#ffffff', share)
