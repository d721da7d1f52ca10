import { type BrotliCompress, constants, createBrotliCompress, createGzip, type Gzip } from 'node:zlib'

/** `name` is the value of `content-encoding`. */
type Compression = { readonly name: string; open(): BrotliCompress | Gzip }

/** Each time this buffer is full, the rest of an event waits for the next turn of the event loop. */
const OUTPUT_BYTES = 64 * 1024

/**
 * The first is preferred at the same weight. Flushes every write so that events are not delayed. The window covers earlier events, because
 * properties are sent again when they change; a stream needs memory for about two windows.
 */
const COMPRESSIONS: readonly Compression[] = [
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

/** The one with the highest weight; undefined if the client accepts none. */
export function chooseCompression(accepted = ''): Compression | undefined {
  const weights = new Map(
    accepted.split(',').map((part): [string, number] => {
      const [name = '', ...options] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = options.find((option) => option.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
  const weigh = ({ name }: Compression) => weights.get(name) ?? weights.get('*') ?? 0
  const [best] = COMPRESSIONS.filter((compression) => weigh(compression) > 0).sort((a, b) => weigh(b) - weigh(a))
  return best
}
