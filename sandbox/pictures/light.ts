/** Light at a time of day: colours of the variables, and the tint of all other colours. */
export type Light = {
  readonly sky: 'sky-high' | 'sky-low' | 'sky-night'
  readonly tint: string
  /** Share of the tint in every colour, in percent. */
  readonly share: number
  /** Variables of the drawings. `lit` is the share of lamplight in a window, `glow` the opacity of a lamp's halo. */
  readonly variables: Readonly<Record<string, string>>
}

type Row = readonly [sky: Light['sky'], tint: string, share: number, lit: string, glow: string, colours: string]

/** Colours in the order of NAMES. */
const ROWS: Readonly<Record<string, Row>> = {
  morning: ['sky-high', '#ffe6cf', 10, '0%', '0', '#9fd0e8 #d8ecf1 #fbe6d4 #fff3d4 #7ea3b5 #6fb6c4 #a8d8d6'],
  day: ['sky-high', '#ffffff', 3, '0%', '0', '#57acdf #a5d8f2 #e2f3fa #fffbe8 #6f9cb8 #2f93b5 #7fd0cf'],
  golden: ['sky-low', '#ffab5c', 17, '25%', '0', '#7fb0cf #f6d7a7 #f8b878 #fff0c2 #8c8a8f #5a9bb0 #f0c795'],
  dusk: ['sky-low', '#4a3f78', 34, '90%', '1', '#3a4f86 #a87c9f #f7b893 #ffd9a8 #4c4f75 #46608f #dca095'],
  night: ['sky-night', '#121d45', 58, '100%', '1', '#0c1738 #1e2f61 #3b4f86 #f3f0dc #2a3660 #14234d #344a80'],
}
const NAMES = ['sky1', 'sky2', 'sky3', 'sun', 'window', 'sea1', 'sea2']

function readLight([sky, tint, share, lit, glow, colours]: Row): Light {
  const named = colours.split(' ').map((colour, index) => [NAMES[index], colour] as const)
  return { sky, tint, share, variables: { ...Object.fromEntries(named), lamp: '#ffd88a', lit, glow } }
}

const LIGHTS = new Map(Object.entries(ROWS).map(([name, row]) => [name, readLight(row)]))

/** Mostly bright hours, because hotels at night would look closed. */
export const DAYLIGHTS: readonly string[] =
  'day day day day morning morning morning golden golden golden dusk dusk'.split(' ')

export function findLight(hour: string): Light {
  const light = LIGHTS.get(hour)
  if (light === undefined) throw new Error(`no light is defined for "${hour}"`)
  return light
}
