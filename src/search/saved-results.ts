import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { SavedResult } from '../domain/saved-search.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** One line of JSON per property, compressed off the main thread. */
export function packResults(results: readonly SavedResult[]): Promise<Buffer> {
  return compress(results.map(toLine).join('\n'))
}

export async function unpackAll(packed: Uint8Array): Promise<SavedResult[]> {
  const text = (await decompress(packed)).toString('utf8')
  return JSON.parse(`[${text.replaceAll('\n', ',')}]`)
}

/** Reads only the line of this property. */
export async function unpackOne(packed: Uint8Array, propertyId: string): Promise<SavedResult | undefined> {
  const bytes = await decompress(packed)
  const start = lineStart(bytes, `{"propertyId":${JSON.stringify(propertyId)},`)
  if (start < 0) return undefined
  const end = bytes.indexOf(0x0a, start)
  return JSON.parse(bytes.toString('utf8', start, end < 0 ? bytes.length : end))
}

/** Byte offset of the line with this prefix. The prefix may also occur inside a line. */
function lineStart(bytes: Buffer, prefix: string): number {
  const size = Buffer.byteLength(prefix)
  if (bytes.toString('utf8', 0, size) === prefix) return 0
  const newline = bytes.indexOf(`\n${prefix}`)
  return newline < 0 ? -1 : newline + 1
}

/** Stores the distance as displayed: rounding it twice could change it. */
const toLine = ({ propertyId, distanceKm, score, offers }: SavedResult): string =>
  JSON.stringify({ propertyId, distanceKm: Math.round(distanceKm * 100) / 100, score, offers })
