import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  type CityPlace,
  createLocationIndex,
  type LocationIndex,
  type LocationTables,
  openLocationIndex,
  readCityPlaces,
} from './location-index.ts'
import { unpackLocations } from './unpack-locations.ts'

export const LOCATIONS_FILE = join(import.meta.dirname, '..', '..', 'data', 'locations.bin.zst')

/** Reads, unpacks and opens the location file. Blocks for a few hundred milliseconds. */
export const loadLocations = (path: string): LocationIndex => createLocationIndex(unpackLocations(readFileSync(path)))

/** The same on a thread of its own: a server has other things to do while it starts. */
export async function openLocations(path: string): Promise<LocationIndex> {
  const thread = new Worker(new URL('location-thread.ts', import.meta.url), { workerData: path })
  const [tables] = (await once(thread, 'message')) as [LocationTables]
  return openLocationIndex(tables)
}

/** Cities that have a GeoNames id, most important first; read as they are asked for. */
export const loadCityPlaces = (path: string): Iterable<CityPlace> => readCityPlaces(unpackLocations(readFileSync(path)))
