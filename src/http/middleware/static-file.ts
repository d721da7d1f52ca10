import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

type Encoding = 'br' | 'gzip'
type Whole = { readonly bytes: Buffer; readonly tag: string }

export type StaticFile = { send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> }

/** The encoding that the client prefers; brotli if it accepts both alike. */
const readEncoding = (accepted = ''): Encoding | undefined =>
  negotiate(accepted.toLowerCase(), ['br', 'gzip'] satisfies Encoding[]) ?? undefined

/** Shorter ones are not worth it. */
const COMPRESSED_MIN_BYTES = 2_048
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const COMPRESS: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

/**
 * Content that is the same for everybody. It is read, and compressed, when it is first asked for, and kept: however often
 * it is asked for, that is all the work. Routes that send it set `compress: false`.
 */
export function createStaticFile(
  read: () => Promise<Buffer> | Buffer,
  { type, cacheControl }: { readonly type: string; readonly cacheControl: string },
): StaticFile {
  let whole: Promise<Whole> | undefined
  const compressed = new Map<Encoding, Promise<Buffer>>()

  async function readWhole(): Promise<Whole> {
    const bytes = await read()
    return { bytes, tag: hash('sha256', bytes, 'base64url').slice(0, 22) }
  }

  /** What cannot be read now is read again for the next one who asks. */
  function readOnce(): Promise<Whole> {
    whole ??= readWhole().catch((error) => {
      whole = undefined
      throw error
    })
    return whole
  }

  function compressOnce(encoding: Encoding, bytes: Buffer): Promise<Buffer> {
    const known = compressed.get(encoding) ?? COMPRESS[encoding](bytes)
    compressed.set(encoding, known)
    return known
  }

  return {
    async send(request, reply) {
      const { bytes, tag } = await readOnce()
      const encoding =
        bytes.length < COMPRESSED_MIN_BYTES ? undefined : readEncoding(request.headers['accept-encoding'])
      const etag = `"${encoding === undefined ? tag : `${tag}-${encoding}`}"`
      const vary = [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', ')
      reply.headers({ 'content-type': type, 'cache-control': cacheControl, etag, vary })
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
      if (encoding === undefined) return reply.send(bytes)
      return reply.header('content-encoding', encoding).send(await compressOnce(encoding, bytes))
    },
  }
}

const isKnown = (sent: string | undefined, etag: string): boolean =>
  sent?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*') ?? false
