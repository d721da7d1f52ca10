import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { BOARDS } from '../domain/offer.ts'
import type { FoundProperty, VendorOffer } from './merge-offers.ts'

/** A result as it is kept: prices and who has them. What a property looks like is the catalogue's business. */
export type KeptProperty = FoundProperty & { readonly score: number }

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** `[vendor, id at the vendor, total, public total, board, flags, rooms left, free until]`; the last where it is known */
type OfferLine = [string, string, number, number, number, number, number, string?]
/** `[property, distance, score, offers]` */
type Line = [string, number, number, OfferLine[]]

const CONVERTED = 1
const FREE = 2

/** One line of JSON a property, all of them compressed off the main thread. */
export function packResults(properties: readonly KeptProperty[]): Promise<Buffer> {
  return compress(properties.map(lineOf).join('\n'))
}

export async function unpackAll(packed: Uint8Array, currency: string): Promise<KeptProperty[]> {
  const text = (await decompress(packed)).toString('utf8')
  if (text === '') return []
  return text.split('\n').map((line) => propertyOf(JSON.parse(line) as Line, currency))
}

/** Finds one property's line and reads that line alone. */
export async function unpackOne(
  packed: Uint8Array,
  propertyId: string,
  currency: string,
): Promise<KeptProperty | undefined> {
  const bytes = await decompress(packed)
  const start = lineStart(bytes, `[${JSON.stringify(propertyId)},`)
  if (start < 0) return undefined
  const end = bytes.indexOf(0x0a, start)
  const line = bytes.toString('utf8', start, end < 0 ? bytes.length : end)
  return propertyOf(JSON.parse(line) as Line, currency)
}

/** Where the line that begins so begins; the same text may stand in the middle of another. */
function lineStart(bytes: Buffer, beginning: string): number {
  const size = Buffer.byteLength(beginning)
  if (bytes.toString('utf8', 0, size) === beginning) return 0
  const at = bytes.indexOf(`\n${beginning}`)
  return at < 0 ? -1 : at + 1
}

function lineOf({ propertyId, distanceKm, score, offers }: KeptProperty): string {
  const line: Line = [propertyId, Math.round(distanceKm * 1000) / 1000, score, offers.map(offerLine)]
  return JSON.stringify(line)
}

function offerLine(offer: VendorOffer): OfferLine {
  const { vendorId, vendorPropertyId, total, publicTotal, freeCancellationUntil: until } = offer
  const flags = (offer.converted ? CONVERTED : 0) | (offer.freeCancellation ? FREE : 0)
  const board = BOARDS.indexOf(offer.board)
  const left = offer.roomsLeft ?? -1
  return until === undefined
    ? [vendorId, vendorPropertyId, total.minor, publicTotal.minor, board, flags, left]
    : [vendorId, vendorPropertyId, total.minor, publicTotal.minor, board, flags, left, until]
}

function propertyOf([propertyId, distanceKm, score, lines]: Line, currency: string): KeptProperty {
  const offers = lines.map(
    ([vendorId, vendorPropertyId, total, publicTotal, board, flags, roomsLeft, until]): VendorOffer => ({
      vendorId,
      vendorPropertyId,
      total: { minor: total, currency },
      publicTotal: { minor: publicTotal, currency },
      board: BOARDS[board] ?? 'room_only',
      converted: (flags & CONVERTED) !== 0,
      freeCancellation: (flags & FREE) !== 0,
      freeCancellationUntil: until,
      roomsLeft: roomsLeft < 0 ? undefined : roomsLeft,
    }),
  )
  return { propertyId, distanceKm, score, offers }
}
