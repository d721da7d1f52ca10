import { promisify } from 'node:util'
import { brotliDecompress, brotliDecompressSync, gunzip, gunzipSync } from 'node:zlib'
import { TOO_LARGE } from '../vendor-error.ts'
import type { Reply } from './call.ts'

export const BODY_MAX_BYTES = 16 * 1024 * 1024

const UNPACK = {
  gzip: { sync: gunzipSync, async: promisify(gunzip) },
  br: { sync: brotliDecompressSync, async: promisify(brotliDecompress) },
} as const

/** A body that is not what its `content-encoding` says. */
export class UnpackError extends Error {
  override readonly name = 'UnpackError'
}

const unpackerOf = (encoding: string | undefined) =>
  encoding === 'gzip' || encoding === 'br' ? UNPACK[encoding] : undefined
const optionsFor = (raw: Buffer) => ({ maxOutputLength: BODY_MAX_BYTES, chunkSize: unpackedSize(raw) })

/** Unpacks on this thread; for the reading thread. */
export function unpackSync(raw: Buffer, encoding: string | undefined): Buffer {
  try {
    return unpackerOf(encoding)?.sync(raw, optionsFor(raw)) ?? raw
  } catch (cause) {
    throw unpackError(cause)
  }
}

/** Unpacks on one of Node's own threads. */
export async function unpack(raw: Buffer, encoding: string | undefined): Promise<Buffer> {
  try {
    return (await unpackerOf(encoding)?.async(raw, optionsFor(raw))) ?? raw
  } catch (cause) {
    throw unpackError(cause)
  }
}

function unpackError(cause: unknown): UnpackError {
  const isLong = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
  return new UnpackError(isLong ? TOO_LARGE : 'a body that cannot be unpacked', { cause })
}

/**
 * The size to unpack into at once: each further chunk would be another turn of the event loop. The last four bytes of
 * gzip give it. A wrong hint costs some turns, nothing else.
 */
function unpackedSize(packed: Buffer): number {
  const said = packed.length < 18 ? 0 : packed.readUInt32LE(packed.length - 4)
  return Math.min(BODY_MAX_BYTES, Math.max(16 * 1024, said + 64))
}

/** Parses unpacked bytes: JSON, or a list of the JSON events of a stream. Of a text that is neither, the beginning is kept. */
export function readAnswer(bytes: Buffer): Pick<Reply, 'body' | 'text'> {
  if (bytes.length === 0) return { body: undefined }
  const text = bytes.toString('utf8')
  try {
    return { body: text.startsWith(EVENT) ? eventsOf(text) : JSON.parse(text) }
  } catch {
    return { body: undefined, text: text.slice(0, 500) }
  }
}

const EVENT = 'data:'
/** How a stream says that it is whole. */
const DONE = '[DONE]'

/** Server-sent events that each carry JSON. Without the end, what came is not the whole answer, and is refused as a whole. */
function eventsOf(text: string): unknown[] {
  const events = text.split('\n').filter((line) => line.startsWith(EVENT))
  const said = events.map((line) => line.slice(EVENT.length).trim())
  if (said.pop() !== DONE) throw new SyntaxError('a stream without its end')
  return said.map((event) => JSON.parse(event))
}
