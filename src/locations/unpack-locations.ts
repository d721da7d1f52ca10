import { zstdDecompressSync } from 'node:zlib'

/** More than the file unpacks to: what fits into one chunk is not copied together afterwards. */
const CHUNK_BYTES = 32 * 2 ** 20

export const unpackLocations = (packed: Uint8Array): Uint8Array =>
  zstdDecompressSync(packed, { chunkSize: CHUNK_BYTES })
