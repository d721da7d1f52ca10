import { gzipSync } from 'node:zlib'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { LocationType } from '../../domain/property/location.ts'
import { memoize } from '../../lib/async/memoize.ts'
import type { Box } from '../../lib/geo.ts'
import type { LocationIndex } from '../../locations/location-index.ts'
import type { PlaceLabel } from '../../locations/place-labels.ts'
import type { TileArchive, TileKey } from './tile-archive.ts'

/** The page scales these tiles at higher zooms. */
const PLACES_ZOOM_MAX = 12
const TILES_MAX = 2_000
/** More labels would overlap. */
const LABELS_MAX = 60
const EXTENT = 4_096

/** First zoom at which each type has labels. */
const FIRST_ZOOM: readonly (readonly [LocationType, number])[] = [
  ['country', 0],
  ['city', 2],
  ['airport', 8],
  ['neighbourhood', 10],
  ['area', 10],
  ['landmark', 11],
  ['station', 11],
]

/** Labels of the most important places, as gzipped vector tiles. */
export function createPlaceTiles(locations: Pick<LocationIndex, 'within'>): TileArchive {
  const readTile = memoize(TILES_MAX, (name: string) => {
    const [z = 0, x = 0, y = 0] = name.split('/').map(Number)
    const types = FIRST_ZOOM.filter(([, zoom]) => z >= zoom).map(([type]) => type)
    return encode({ z, x, y }, locations.within(tileBounds({ z, x, y }), types, LABELS_MAX))
  })
  return ({ z, x, y }) => (z <= PLACES_ZOOM_MAX && x < 2 ** z && y < 2 ** z ? readTile(`${z}/${x}/${y}`) : undefined)
}

function encode(key: TileKey, labels: readonly PlaceLabel[]): Buffer {
  const features = labels.map(({ name, type, rank, population, point }) => ({
    type: 1 as const,
    geometry: [positionIn(key, point)],
    tags: { name, type, rank, population },
  }))
  const tile = { features, numPoints: 0, numSimplified: 0, numFeatures: 0, source: null, ...key }
  return gzipSync(fromGeojsonVt({ places: { ...EMPTY_TILE, ...tile } }, { version: 2, extent: EXTENT }))
}

const EMPTY_TILE = { transformed: true, minX: 0, minY: 0, maxX: 0, maxY: 0 }

function positionIn({ z, x, y }: TileKey, { lat, lon }: { lat: number; lon: number }): [number, number] {
  const size = 2 ** z
  const sine = Math.sin((lat * Math.PI) / 180)
  const across = (lon + 180) / 360
  const down = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
  return [Math.round((across * size - x) * EXTENT), Math.round((down * size - y) * EXTENT)]
}

function tileBounds({ z, x, y }: TileKey): Box {
  const size = 2 ** z
  const longitude = (column: number) => (column / size) * 360 - 180
  const latitude = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / size))) * 180) / Math.PI
  return { west: longitude(x), east: longitude(x + 1), north: latitude(y), south: latitude(y + 1) }
}
