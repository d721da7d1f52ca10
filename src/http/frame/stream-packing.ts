import { type BrotliCompress, constants, createBrotliCompress, createGzip, type Gzip } from 'node:zlib'

/** How a stream is compressed: what the header calls it, and how to bring out what was written so far. */
export type Packing = { readonly name: string; readonly flush: number; open(): BrotliCompress | Gzip }

/** The best first. A property that is sent again is found in the window; each open stream costs about two of them. */
const PACKINGS: readonly Packing[] = [
  {
    name: 'br',
    flush: constants.BROTLI_OPERATION_FLUSH,
    open: () =>
      createBrotliCompress({
        params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 20 },
      }),
  },
  { name: 'gzip', flush: constants.Z_SYNC_FLUSH, open: () => createGzip({ level: 5 }) },
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
