import { readFileSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import { createLocationIndex, type LocationIndex } from './location-index.ts'

/** Reads, unpacks and opens the location file. Blocks for a few hundred milliseconds: done once, at the start. */
export function loadLocations(path: string): LocationIndex {
  return createLocationIndex(zstdDecompressSync(readFileSync(path)))
}
