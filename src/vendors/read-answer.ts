import { promisify } from 'node:util'
import { brotliDecompress, brotliDecompressSync, gunzip, gunzipSync } from 'node:zlib'
import type { Reply } from './call.ts'
import { type ListShape, readInPieces } from './read-in-pieces.ts'

export const BODY_MAX_BYTES = 16 * 1024 * 1024

const UNPACK = {
  gzip: { here: gunzipSync, later: promisify(gunzip) },
  br: { here: brotliDecompressSync, later: promisify(brotliDecompress) },
} as const

/** A body that is not what its `content-encoding` says. */
export class UnpackError extends Error {
  override readonly name = 'UnpackError'
}

const packingOf = (encoding: string | undefined) => UNPACK[(encoding ?? '') as keyof typeof UNPACK]
const optionsFor = (raw: Buffer) => ({ maxOutputLength: BODY_MAX_BYTES, chunkSize: unpackedSize(raw) })

/** Unpacks on this thread, for one that has nothing else to do. */
export function unpackHere(raw: Buffer, encoding: string | undefined): Buffer {
  try {
    return packingOf(encoding)?.here(raw, optionsFor(raw)) ?? raw
  } catch (cause) {
    throw new UnpackError('a body that cannot be unpacked', { cause })
  }
}

/** Unpacks on one of Node's own threads. */
export async function unpack(raw: Buffer, encoding: string | undefined): Promise<Buffer> {
  try {
    return (await packingOf(encoding)?.later(raw, optionsFor(raw))) ?? raw
  } catch (cause) {
    throw new UnpackError('a body that cannot be unpacked', { cause })
  }
}

/**
 * Unpacked on another thread piece by piece, and each piece is a turn of ours; so it is unpacked in one. The last four bytes of
 * gzip say how long that will be. They are a hint and no more: a wrong one costs some turns.
 */
function unpackedSize(packed: Buffer): number {
  const said = packed.length < 18 ? 0 : packed.readUInt32LE(packed.length - 4)
  return Math.min(BODY_MAX_BYTES, Math.max(16 * 1024, said + 64))
}

/** What unpacked bytes say: parsed, the list item by item where there is one, or the beginning of a text that is no JSON. */
export function readAnswer(bytes: Buffer, list: ListShape | undefined): Pick<Reply, 'body' | 'items' | 'text'> {
  if (bytes.length === 0) return { body: undefined }
  const pieces = list && readInPieces(bytes, list)
  if (pieces !== undefined) return { body: pieces.frame, items: pieces.items }
  const text = bytes.toString('utf8')
  try {
    return { body: JSON.parse(text) }
  } catch {
    return { body: undefined, text: text.slice(0, 500) }
  }
}
