import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { constants, zstdCompressSync } from 'node:zlib'
import { LOCATION_TYPES } from '../../src/domain/property/location.ts'
import { readArguments, refuse } from '../read-arguments.ts'
import { makeDistinct } from './display-names.ts'
import { applyFame } from './fame.ts'
import { packColumns } from './pack-columns.ts'
import { packKeys } from './pack-keys.ts'
import { packRows } from './pack-rows.ts'
import type { Place } from './place.ts'
import { readAirports } from './sources/airports.ts'
import { readCities, readNewerCities } from './sources/cities.ts'
import { countryPlaces, readCountries } from './sources/countries.ts'
import { readPackageJson, readSeed } from './sources/read-source.ts'
import { createCounties, createRegions, readCountyNames, readRegionNames } from './sources/regions.ts'
import { readResorts } from './sources/resorts.ts'
import { readAreas, readSights } from './sources/seeds.ts'

const DATA = fileURLToPath(new URL('../../data/', import.meta.url))
const USAGE = `Usage: node build.ts [--quick]      in scripts/locations, after "npm ci" there

Writes data/locations.bin.zst and its manifest. --quick compresses less, for trials.`
const { values } = readArguments(USAGE, { options: { quick: { type: 'boolean', default: false } } })
if (!existsSync(fileURLToPath(new URL('node_modules', import.meta.url))))
  refuse(USAGE, 'The data packages are missing.')
const LEVEL = values.quick ? 6 : 22
const WINDOW_LOG = 25

const countries = readCountries()
const regions = readRegionNames()
const counties = readCountyNames()
const names = { countries: new Map(countries.map(({ code, name }) => [code, name])), regions, counties }

const places = await gatherPlaces()
const missing = applyFame(places)
if (missing.length > 0) throw new Error(`no source has these seed entries:\n${missing.join('\n')}`)
const listed = makeDistinct(places.sort(byImportance), names)
const { meta, columns } = packRows(listed, countries, regions, readContextWords())
const file = packColumns(meta, { ...columns, ...packKeys(listed) })
writeData(file, listed)

async function gatherPlaces(): Promise<Place[]> {
  const known = new Set(countries.map((country) => country.code))
  const base = readCities().filter((city) => known.has(city.countryCode))
  const newer = readNewerCities(base).filter((city) => known.has(city.countryCode))
  const cities = [...base, ...newer, ...readResorts(base)]
  const airports = (await readAirports(base)).filter((airport) => known.has(airport.countryCode))
  return [
    ...cities,
    ...createRegions(cities, regions),
    ...createCounties(cities, counties),
    ...countryPlaces(countries, base),
    ...airports,
    ...readAreas(base),
    ...readSights(base),
  ]
}

function byImportance(a: Place, b: Place): number {
  return Math.round(1000 * b.importance) - Math.round(1000 * a.importance) || (a.key < b.key ? -1 : 1)
}

function readContextWords(): Map<string, string> {
  return new Map(readSeed('context-words.psv').map(([code = '', words = '']) => [code, words]))
}

function writeData(file: Buffer, places: readonly Place[]): void {
  const packed = zstdCompressSync(file, {
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_windowLog]: WINDOW_LOG },
  })
  const counts = Object.fromEntries(
    LOCATION_TYPES.filter((type) => type !== 'property').map((type) => [
      type,
      places.filter((place) => place.type === type).length,
    ]),
  )
  const { dependencies } = readPackageJson<{ dependencies: Record<string, string> }>('../package.json')
  const manifest = {
    file: 'locations.bin.zst',
    bytes: packed.length,
    sha256: sha256(packed),
    unpackedBytes: file.length,
    unpackedSha256: sha256(file),
    places: places.length,
    counts,
    sources: dependencies,
  }
  mkdirSync(DATA, { recursive: true })
  writeFileSync(`${DATA}locations.bin.zst`, packed)
  writeFileSync(`${DATA}locations.manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`)
  console.log(manifest)
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
