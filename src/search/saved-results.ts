import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { BOARDS, type Board, type FreeOffer } from '../domain/offer.ts'
import type { FoundProperty, VendorOffer } from './merge-offers.ts'

/** Prices and their vendors. The catalogue holds the rest of a property. */
export type SavedProperty = FoundProperty & { readonly score: number }

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** `[vendor, id at the vendor, total, public total, board, flags, rooms left, free until, free offer, offers by board, net]` */
type OfferLine = [string, string, number, number, number, number, number, ...Later]
type Later = [(string | undefined)?, (FreeLine | undefined)?, (BoardLine[] | undefined)?, (number | undefined)?]
/** `[total, until]`, or 0 if there is none. */
type FreeLine = [number, string?] | 0
type BoardLine = [number, number]
/** `[property, distance, score, offers]` */
type Line = [string, number, number, OfferLine[]]

const CONVERTED = 1
const FREE = 2

/** One line of JSON per property, compressed off the main thread. */
export function packResults(properties: readonly SavedProperty[]): Promise<Buffer> {
  return compress(properties.map(toLine).join('\n'))
}

export async function unpackAll(packed: Uint8Array, currency: string): Promise<SavedProperty[]> {
  const text = (await decompress(packed)).toString('utf8')
  if (text === '') return []
  return text.split('\n').map((line) => parseProperty(JSON.parse(line), currency))
}

/** Reads only the line of this property. */
export async function unpackOne(
  packed: Uint8Array,
  propertyId: string,
  currency: string,
): Promise<SavedProperty | undefined> {
  const bytes = await decompress(packed)
  const start = lineStart(bytes, `[${JSON.stringify(propertyId)},`)
  if (start < 0) return undefined
  const end = bytes.indexOf(0x0a, start)
  const line = bytes.toString('utf8', start, end < 0 ? bytes.length : end)
  return parseProperty(JSON.parse(line), currency)
}

/** Byte offset of the line with this prefix. The prefix may also occur inside a line. */
function lineStart(bytes: Buffer, prefix: string): number {
  const size = Buffer.byteLength(prefix)
  if (bytes.toString('utf8', 0, size) === prefix) return 0
  const newline = bytes.indexOf(`\n${prefix}`)
  return newline < 0 ? -1 : newline + 1
}

/** Stores the distance as displayed: rounding it twice could change it. */
function toLine({ propertyId, distanceKm, score, offers }: SavedProperty): string {
  const line: Line = [propertyId, Math.round(distanceKm * 100) / 100, score, offers.map(offerLine)]
  return JSON.stringify(line)
}

function offerLine(offer: VendorOffer): OfferLine {
  const { vendorId, vendorPropertyId, total, publicTotal, freeCancellationUntil: until, freeOffer, boardOffers } = offer
  const flags = (offer.converted ? CONVERTED : 0) | (offer.freeCancellation ? FREE : 0)
  const line: OfferLine = [
    vendorId,
    vendorPropertyId,
    total.minor,
    publicTotal.minor,
    boardNumber(offer.board),
    flags,
    offer.roomsLeft ?? -1,
    until,
    freeLine(freeOffer),
    boardOffers?.map(({ board, total: { minor } }): BoardLine => [boardNumber(board), minor]),
    offer.net?.minor,
  ]
  while (line.at(-1) === undefined) line.pop()
  return line
}

function freeLine(offer: FreeOffer | null | undefined): FreeLine | undefined {
  if (offer === null) return 0
  return offer && (offer.until === undefined ? [offer.total.minor] : [offer.total.minor, offer.until])
}

const boardNumber = (board: Board): number => BOARDS.indexOf(board)
const boardAt = (number: number): Board => BOARDS[number] ?? 'room_only'

function parseProperty([propertyId, distanceKm, score, lines]: Line, currency: string): SavedProperty {
  return { propertyId, distanceKm, score, offers: lines.map((line) => parseOffer(line, currency)) }
}

/** Gaps in a line were written as null. */
function parseOffer(line: OfferLine, currency: string): VendorOffer {
  const [vendorId, vendorPropertyId, total, publicTotal, board, flags, roomsLeft, until, free, boards, net] = line
  const money = (minor: number) => ({ minor, currency })
  return {
    vendorId,
    vendorPropertyId,
    total: money(total),
    publicTotal: money(publicTotal),
    board: boardAt(board),
    converted: (flags & CONVERTED) !== 0,
    freeCancellation: (flags & FREE) !== 0,
    freeCancellationUntil: until ?? undefined,
    roomsLeft: roomsLeft < 0 ? undefined : roomsLeft,
    freeOffer: free === 0 ? null : (free ?? undefined) && { total: money(free?.[0] ?? 0), until: free?.[1] },
    boardOffers: (boards ?? undefined)?.map(([number, minor]) => ({ board: boardAt(number), total: money(minor) })),
    ...((net ?? undefined) !== undefined && { net: money(net ?? 0) }),
  }
}
