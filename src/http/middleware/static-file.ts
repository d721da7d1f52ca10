import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

type Encoding = 'br' | 'gzip'
type Content = { readonly bytes: Buffer; readonly tag: string }

export type StaticFile = { send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> }

/** Prefers brotli if the client accepts both alike. */
const readEncoding = (accepted = ''): Encoding | undefined =>
  negotiate(accepted.toLowerCase(), ['br', 'gzip'] satisfies Encoding[]) ?? undefined

/** Shorter files are not compressed. */
const COMPRESSED_MIN_BYTES = 2_048
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const COMPRESS: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

/** Reads and compresses the content once, at the first request. Routes that send it set `compress: false`. */
export function createStaticFile(
  read: () => Promise<Buffer> | Buffer,
  { type, cacheControl }: { readonly type: string; readonly cacheControl: string },
): StaticFile {
  let content: Promise<Content> | undefined
  const compressed = new Map<Encoding, Promise<Buffer>>()

  async function readContent(): Promise<Content> {
    const bytes = await read()
    return { bytes, tag: hash('sha256', bytes, 'base64url').slice(0, 22) }
  }

  /** Retries at the next request if reading fails. */
  function readOnce(): Promise<Content> {
    content ??= readContent().catch((error) => {
      content = undefined
      throw error
    })
    return content
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
  sent?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*') ?? false
