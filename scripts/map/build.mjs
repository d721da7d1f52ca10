/**
 * Writes data/map.bin: land, lakes and rivers as vector tiles. The shores are GSHHG's in high resolution, as packaged by Debian
 * (gmt-gshhg-high, LGPL); see docs/attribution.md. The format is described in src/page/map/tile-archive.ts.
 *
 *   apt-get download gmt-gshhg-high && dpkg-deb -x gmt-gshhg-high_*.deb gshhg
 *   cd scripts/map && npm ci && node build.mjs ../../gshhg/usr/share/gmt-gshhg
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import GeoJSONVT from 'geojson-vt'
import vtpbf from 'vt-pbf'
import { readLand, readLines } from './shoreline.mjs'

/**
 * The page scales each zoom up to the next. Tiles of this precision still look smooth, and two thirds need not be
 * stored.
 */
const ZOOMS = [1, 4, 7]
/** Smaller rivers, canals and intermittent streams are irrelevant on a map of a city. */
const RIVER_LEVEL_MAX = 4
/** Smaller rivers appear at higher zooms. */
const riverZoom = (level) => (level <= 1 ? 1 : level <= 2 ? 4 : 7)

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: node build.mjs FOLDER\nFOLDER must contain binned_GSHHS_h.nc and binned_river_h.nc.')
  process.exit(2)
}
const feature = (type, coordinates, properties = {}) => ({
  type: 'Feature',
  geometry: { type, coordinates },
  properties,
})
const rivers = (await readLines(join(folder, 'binned_river_h.nc')))
  .filter(({ level }) => level <= RIVER_LEVEL_MAX)
  .map(({ level, points }) => feature('LineString', points, { level }))

/** A tile without a shore is the same everywhere and stored once. */
const COVERED = {
  features: [
    {
      type: 3,
      geometry: [
        [
          [-16, -16],
          [4112, -16],
          [4112, 4112],
          [-16, 4112],
          [-16, -16],
        ],
      ],
      tags: {},
    },
  ],
}

const EXTENT = 4096
/** Tolerated deviation of a shore, in steps of a tile. */
const TOLERANCE = 2
const options = { maxZoom: 8, indexMaxZoom: 7, indexMaxPoints: 0, buffer: 16, extent: EXTENT }
const riverTiles = new GeoJSONVT({ type: 'FeatureCollection', features: rivers }, { ...options, tolerance: TOLERANCE })

async function readLandAt(zoom) {
  const squares = await readLand(join(folder, 'binned_GSHHS_h.nc'), (TOLERANCE * 360) / 2 ** zoom / EXTENT)
  const features = squares
    .filter(({ polygons }) => polygons.length > 0)
    .map(({ polygons }) =>
      feature(
        'MultiPolygon',
        polygons.map((rings) => rings.map((ring) => [...ring, ring[0]])),
      ),
    )
  return {
    tiles: new GeoJSONVT({ type: 'FeatureCollection', features }, { ...options, tolerance: 0 }),
    full: new Set(squares.filter(({ isFull }) => isFull).map(({ west, south }) => `${west} ${south}`)),
  }
}

const bodies = new Map()
const entries = []
let bytes = 0
for (const z of ZOOMS) {
  const land = await readLandAt(z)
  for (let x = 0; x < 2 ** z; x += 1) {
    for (let y = 0; y < 2 ** z; y += 1) {
      const body = encodeTile(land, z, x, y)
      if (body === undefined) continue
      const text = body.toString('base64')
      const known = bodies.get(text) ?? { at: bytes, body }
      if (!bodies.has(text)) {
        bodies.set(text, known)
        bytes += body.length
      }
      entries.push([z, x, y, known.at, body.length])
    }
  }
}
const table = Buffer.alloc(4 + entries.length * 16)
table.writeUInt32LE(entries.length, 0)
entries.forEach(([z, x, y, at, length], i) => {
  table.writeUInt32LE(z, 4 + i * 16)
  table.writeUInt16LE(x, 8 + i * 16)
  table.writeUInt16LE(y, 10 + i * 16)
  table.writeUInt32LE(at, 12 + i * 16)
  table.writeUInt32LE(length, 16 + i * 16)
})
const packed = gzipSync(table, { level: 9 })
const head = Buffer.alloc(4)
head.writeUInt32LE(packed.length)
const path = join(import.meta.dirname, '../../data/map.bin')
writeFileSync(path, Buffer.concat([head, packed, ...[...bodies.values()].map(({ body }) => body)]))
console.log(`${entries.length} tiles, ${bodies.size} different ones, ${packed.length + bytes} bytes in ${path}`)

/** The gzipped tile as sent to clients; undefined for open sea. */
function encodeTile(land, z, x, y) {
  const landTile = isCovered(land.full, z, x, y) ? COVERED : land.tiles.getTile(z, x, y)
  const riverTile = riverTiles.getTile(z, x, y)
  const found = {}
  if (landTile?.features.length > 0) found.land = landTile
  const visibleRivers = riverTile?.features.filter(({ tags }) => riverZoom(tags.level) <= z) ?? []
  if (visibleRivers.length > 0) found.rivers = { ...riverTile, features: visibleRivers }
  if (Object.keys(found).length === 0) return undefined
  return gzipSync(Buffer.from(vtpbf.fromGeojsonVt(found, { version: 2 })), { level: 9 })
}

function isCovered(full, z, x, y) {
  const size = 2 ** z
  const [west, east] = [(x / size) * 360 - 180, ((x + 1) / size) * 360 - 180]
  const [south, north] = [latitude((y + 1) / size), latitude(y / size)]
  for (let lat = Math.floor(south / 2) * 2; lat < north; lat += 2)
    for (let lon = Math.floor(west / 2) * 2; lon < east; lon += 2) if (!full.has(`${lon} ${lat}`)) return false
  return true
}

function latitude(share) {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * share))) * 180) / Math.PI
}
