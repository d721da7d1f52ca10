import type { StyleSpecification } from 'maplibre-gl'
import type { Point } from './bounds.ts'

export type Palette = {
  readonly water: string
  readonly land: string
  readonly shore: string
  readonly ink: string
  readonly muted: string
  readonly halo: string
  readonly landmark: string
}

export const LIGHT: Palette = {
  water: '#c3d5e0',
  land: '#f4efe4',
  shore: '#a3b9c8',
  ink: '#33374a',
  muted: '#666a7a',
  halo: '#f9f6ee',
  landmark: '#7a5410',
}

export const DARK: Palette = {
  water: '#0f1522',
  land: '#262b3f',
  shore: '#3c465f',
  ink: '#dedbe2',
  muted: '#a3a6b8',
  halo: '#1a1e2d',
  landmark: '#d9ad58',
}

/** System fonts, drawn by the browser, so no font is loaded. */
const FONT = ['system-ui', 'sans-serif']

const CREDITS = 'Coast and rivers: GSHHG · Places: GeoNames, airport-data-js'

/** Zoom levels with land tiles, and the range in which each is shown. */
const LAND_STEPS = [
  { zoom: 1, from: 0, to: 4 },
  { zoom: 4, from: 4, to: 7 },
  { zoom: 7, from: 7, to: 24 },
] as const

type Layer = StyleSpecification['layers'][number]

/** Map style that uses only the service's own land, water and place names. */
export function createMapStyle(palette: Palette, origin: string): StyleSpecification {
  const land = LAND_STEPS.map(({ zoom }) => [
    `land-${zoom}`,
    { type: 'vector' as const, tiles: [`${origin}/map/land/{z}/{x}/{y}`], minzoom: zoom, maxzoom: zoom },
  ])
  const places = {
    type: 'vector' as const,
    tiles: [`${origin}/map/places/{z}/{x}/{y}`],
    maxzoom: 12,
    attribution: CREDITS,
  }
  return {
    version: 8,
    sources: { ...Object.fromEntries(land), places, [PIN_SPACE]: { type: 'geojson', data: toPinSpace([], 0) } },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': palette.water } },
      ...LAND_STEPS.flatMap((step) => landLayers(palette, step)),
      ...labelLayers(palette),
      pinSpaceLayer,
    ],
  }
}

function landLayers(palette: Palette, { zoom, from, to }: (typeof LAND_STEPS)[number]): Layer[] {
  const source = { source: `land-${zoom}`, minzoom: from, maxzoom: to }
  return [
    {
      id: `land-${zoom}`,
      type: 'fill',
      ...source,
      'source-layer': 'land',
      // Land is tiled; antialiasing would show the seams.
      paint: { 'fill-color': palette.land, 'fill-antialias': false },
    },
    {
      id: `rivers-${zoom}`,
      type: 'line',
      ...source,
      'source-layer': 'rivers',
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': palette.water,
        'line-width': [
          'interpolate',
          ['exponential', 1.4],
          ['zoom'],
          3,
          0.6,
          8,
          ['match', ['get', 'level'], [0, 1], 1.8, 2, 1.3, 0.8],
          14,
          ['match', ['get', 'level'], [0, 1], 9, 2, 6, 3],
        ],
      },
    },
  ]
}

/** Of the text in `pinSpaceLayer`. */
const PIN_DIGIT_WIDTH = 8

/** Source with the positions of pins; place names avoid them. */
export const PIN_SPACE = 'pin-space'

/** `width`: of a pin in pixels. */
export const toPinSpace = (points: readonly Point[], width: number) => ({
  type: 'FeatureCollection' as const,
  features: points.map(({ lat, lon }) => ({
    type: 'Feature' as const,
    properties: { text: '0'.repeat(Math.ceil(width / PIN_DIGIT_WIDTH)) },
    geometry: { type: 'Point' as const, coordinates: [lon, lat] },
  })),
})

/** Invisible text the size of a pin. As the last layer, it is placed before all names. */
const pinSpaceLayer: Layer = {
  id: PIN_SPACE,
  type: 'symbol',
  source: PIN_SPACE,
  layout: {
    'text-field': ['get', 'text'],
    'text-max-width': 50,
    'text-font': FONT,
    'text-size': 13,
    'text-padding': 6,
    'text-allow-overlap': true,
  },
  paint: { 'text-opacity': 0 },
}

type LabelLook = {
  readonly id: string
  readonly types: readonly string[]
  readonly colour: string
  readonly size: unknown
  readonly minzoom?: number
  readonly maxzoom?: number
  readonly letterSpacing?: number
  readonly upper?: boolean
  readonly dot?: boolean
}

/** From least to most important: on conflict, the label drawn later wins. */
function labelLayers(palette: Palette): Layer[] {
  const { ink, muted, landmark } = palette
  const byPopulation = (least: number, most: number) => [
    'interpolate',
    ['linear'],
    ['log10', ['max', 1000, ['get', 'population']]],
    3,
    least,
    7,
    most,
  ]
  const citySize = [
    'interpolate',
    ['linear'],
    ['zoom'],
    3,
    byPopulation(9, 13),
    8,
    byPopulation(10, 20),
    13,
    byPopulation(13, 26),
  ]
  const looks: LabelLook[] = [
    { id: 'stations', types: ['station'], colour: muted, size: 11, minzoom: 12, dot: true },
    { id: 'landmarks', types: ['landmark'], colour: landmark, size: 11.5, minzoom: 11.5, dot: true },
    { id: 'airports', types: ['airport'], colour: muted, size: 11, minzoom: 9, dot: true },
    { id: 'districts', types: ['neighbourhood', 'area'], colour: muted, size: 12, minzoom: 10.5, letterSpacing: 0.08 },
    { id: 'cities', types: ['city'], colour: ink, size: citySize, minzoom: 3 },
    { id: 'countries', types: ['country'], colour: muted, size: 12, maxzoom: 7, letterSpacing: 0.12, upper: true },
  ]
  return looks.flatMap((look) => [...(look.dot ? [dotLayer(look, palette)] : []), labelLayer(look, palette)])
}

const filterByType = (types: readonly string[]) => ['in', ['get', 'type'], ['literal', types]]

function zoomRange({ minzoom, maxzoom }: LabelLook) {
  return { ...(minzoom === undefined ? {} : { minzoom }), ...(maxzoom === undefined ? {} : { maxzoom }) }
}

function labelLayer(look: LabelLook, palette: Palette): Layer {
  return {
    id: look.id,
    type: 'symbol',
    source: 'places',
    'source-layer': 'places',
    ...zoomRange(look),
    filter: filterByType(look.types),
    layout: {
      'text-field': ['get', 'name'],
      'text-font': FONT,
      'text-size': look.size,
      'text-max-width': 8,
      'text-padding': 6,
      'text-letter-spacing': look.letterSpacing ?? 0,
      'text-transform': look.upper ? 'uppercase' : 'none',
      'symbol-sort-key': ['get', 'rank'],
      'text-variable-anchor-offset': anchorOffsets(look),
    },
    paint: { 'text-color': look.colour, 'text-halo-color': palette.halo, 'text-halo-width': 1.4 },
    // The expression types are stricter than what the style accepts.
  } as unknown as Layer
}

/** Sides of the point, as the anchor of the text and its direction from the point. */
const SIDES = [
  ['left', 1, 0],
  ['right', -1, 0],
  ['top', 0, 1],
  ['bottom', 0, -1],
  ['top-left', 0.7, 0.7],
  ['top-right', -0.7, 0.7],
  ['bottom-left', 0.7, -0.7],
  ['bottom-right', -0.7, -0.7],
] as const

/**
 * Places for a name, with distances in the height of its letters: beside the dot; without a dot, centred unless a pin is
 * there. The name of a city with pins all around is written at their edge.
 */
function anchorOffsets({ id, dot = false }: LabelLook): unknown[] {
  const distances = dot ? [0.55] : id === 'cities' ? [0.9, 2.2, 3.5] : [0.9]
  const ring = (distance: number) => SIDES.flatMap(([anchor, x, y]) => [anchor, [x * distance, y * distance]])
  return [...(dot ? [] : ['center', [0, 0]]), ...distances.flatMap(ring)]
}

function dotLayer(look: LabelLook, palette: Palette): Layer {
  return {
    id: `${look.id}-dots`,
    type: 'circle',
    source: 'places',
    'source-layer': 'places',
    ...zoomRange(look),
    filter: filterByType(look.types),
    paint: {
      'circle-radius': 2.6,
      'circle-color': look.colour,
      'circle-stroke-color': palette.halo,
      'circle-stroke-width': 1,
    },
  } as unknown as Layer
}
