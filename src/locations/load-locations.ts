import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { zstdDecompressSync } from 'node:zlib'
import {
  type CityPlace,
  createLocationIndex,
  type LocationIndex,
  type LocationTables,
  openLocationIndex,
  readCityPlaces,
} from './location-index.ts'

const LOCATIONS_FILE = join(import.meta.dirname, '..', '..', 'data', 'locations.bin.zst')

/** Larger than the unpacked file: a single chunk needs no copy. */
const CHUNK_BYTES = 32 * 2 ** 20

export const unpackLocations = (): Uint8Array =>
  zstdDecompressSync(readFileSync(LOCATIONS_FILE), { chunkSize: CHUNK_BYTES })

/** Blocks for a few hundred milliseconds. */
export const loadLocations = (): LocationIndex => createLocationIndex(unpackLocations())

/** Loads on a thread, so that a starting server is not blocked. */
export async function openLocations(): Promise<LocationIndex> {
  const thread = new Worker(new URL('./location-thread.ts', import.meta.url))
  const [tables]: LocationTables[] = await once(thread, 'message')
  if (tables === undefined) throw new Error('The location thread returned no tables.')
  return openLocationIndex(tables)
}

/** Cities with a GeoNames id, most important first; read lazily. */
export const loadCityPlaces = (): Iterable<CityPlace> => readCityPlaces(unpackLocations())
