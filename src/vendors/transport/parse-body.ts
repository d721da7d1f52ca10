import { promisify } from 'node:util'
import { brotliDecompress, brotliDecompressSync, gunzip, gunzipSync } from 'node:zlib'
import { TOO_LARGE } from '../vendor-error.ts'
import type { Reply } from './call.ts'

export const BODY_MAX_BYTES = 16 * 1024 * 1024

const UNPACK = {
  gzip: { sync: gunzipSync, async: promisify(gunzip) },
  br: { sync: brotliDecompressSync, async: promisify(brotliDecompress) },
} as const

/** The body does not match its `content-encoding`. */
export class UnpackError extends Error {
  override readonly name = 'UnpackError'
}

const findUnpacker = (encoding: string | undefined) =>
  encoding === 'gzip' || encoding === 'br' ? UNPACK[encoding] : undefined
const optionsFor = (raw: Buffer) => ({ maxOutputLength: BODY_MAX_BYTES, chunkSize: unpackedSize(raw) })

/** For worker threads. */
export function unpackSync(raw: Buffer, encoding: string | undefined): Buffer {
  try {
    return findUnpacker(encoding)?.sync(raw, optionsFor(raw)) ?? raw
  } catch (cause) {
    throw unpackError(cause)
  }
}

export async function unpack(raw: Buffer, encoding: string | undefined): Promise<Buffer> {
  try {
    return (await findUnpacker(encoding)?.async(raw, optionsFor(raw))) ?? raw
  } catch (cause) {
    throw unpackError(cause)
  }
}

function unpackError(cause: unknown): UnpackError {
  const isLong = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
  return new UnpackError(isLong ? TOO_LARGE : 'a body that cannot be unpacked', { cause })
}

/**
 * Output size in one chunk, because each further chunk costs a turn of the event loop. Read from the last four bytes of
 * gzip; a wrong hint only costs turns.
 */
function unpackedSize(packed: Buffer): number {
  const size = packed.length < 18 ? 0 : packed.readUInt32LE(packed.length - 4)
  return Math.min(BODY_MAX_BYTES, Math.max(16 * 1024, size + 64))
}

/** Parses JSON, or server-sent events as a list. Of any other text, keeps the beginning. */
export function parseBody(bytes: Buffer): Pick<Reply, 'body' | 'text'> {
  if (bytes.length === 0) return { body: undefined }
  const text = bytes.toString('utf8')
  try {
    return { body: text.startsWith(EVENT) ? parseEvents(text) : JSON.parse(text) }
  } catch {
    return { body: undefined, text: text.slice(0, 500) }
  }
}

const EVENT = 'data:'
/** Last event of a complete stream. */
const DONE = '[DONE]'

/** Parses server-sent events that each contain JSON. A stream without its last event is rejected as a whole. */
function parseEvents(text: string): unknown[] {
  const events = text.split('\n').filter((line) => line.startsWith(EVENT))
  const payloads = events.map((line) => line.slice(EVENT.length).trim())
  if (payloads.pop() !== DONE) throw new SyntaxError('an incomplete stream')
  return payloads.map((event) => JSON.parse(event))
}
