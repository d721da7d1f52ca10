import { type BrotliCompress, constants, createBrotliCompress, createGzip, type Gzip } from 'node:zlib'

/** How a stream is compressed, and what the header calls it. */
export type Packing = { readonly name: string; open(): BrotliCompress | Gzip }

/** Of one step of compressing. Each step waits for its turn of the event loop, which may be long while an area is read. */
const STEP_BYTES = 64 * 1024

/** The best first. What is written comes out at once, not when a block is full. A property that is sent again is found in the window; each open stream costs about two of them. */
const PACKINGS: readonly Packing[] = [
  {
    name: 'br',
    open: () =>
      createBrotliCompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        chunkSize: STEP_BYTES,
        params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 20 },
      }),
  },
  { name: 'gzip', open: () => createGzip({ level: 5, flush: constants.Z_SYNC_FLUSH, chunkSize: STEP_BYTES }) },
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
