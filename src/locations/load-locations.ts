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

/** More than the file unpacks to: what fits into one chunk is not copied together afterwards. */
const CHUNK_BYTES = 32 * 2 ** 20

export const unpackLocations = (): Uint8Array =>
  zstdDecompressSync(readFileSync(LOCATIONS_FILE), { chunkSize: CHUNK_BYTES })

/** Reads, unpacks and opens the location file. Blocks for a few hundred milliseconds. */
export const loadLocations = (): LocationIndex => createLocationIndex(unpackLocations())

/** The same on a thread of its own: a server has other things to do while it starts. */
export async function openLocations(): Promise<LocationIndex> {
  const thread = new Worker(new URL('./location-thread.ts', import.meta.url))
  const [tables]: LocationTables[] = await once(thread, 'message')
  if (tables === undefined) throw new Error('the location thread answered without the tables')
  return openLocationIndex(tables)
}

/** Cities that have a GeoNames id, most important first; read as they are asked for. */
export const loadCityPlaces = (): Iterable<CityPlace> => readCityPlaces(unpackLocations())
