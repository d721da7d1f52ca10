import { type BrotliCompress, constants, createBrotliCompress, createGzip, type Gzip } from 'node:zlib'

/** How a stream is compressed, and what the header calls it. */
type Packing = { readonly name: string; open(): BrotliCompress | Gzip }

/** Output buffer of the compressor. Each time it is full, the rest of an event waits for the next turn of the event loop. */
const OUTPUT_BYTES = 64 * 1024

/**
 * The best first. Every write is flushed, so that an event is not held back. The window holds what was sent before, because properties
 * are sent again when they change; each open stream needs memory for about two windows.
 */
const PACKINGS: readonly Packing[] = [
  {
    name: 'br',
    open: () =>
      createBrotliCompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        chunkSize: OUTPUT_BYTES,
        params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 20 },
      }),
  },
  { name: 'gzip', open: () => createGzip({ level: 5, flush: constants.Z_SYNC_FLUSH, chunkSize: OUTPUT_BYTES }) },
]

/** Undefined where the client takes none of them. */
export function packingFor(accepted = ''): Packing | undefined {
  const weights = new Map(
    accepted.split(',').map((part): [string, number] => {
      const [name = '', ...options] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = options.find((option) => option.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
  return PACKINGS.find(({ name }) => (weights.get(name) ?? weights.get('*') ?? 0) > 0)
}
