import type { RoomContent } from '../../domain/property/property.ts'
import { foldText } from '../../lib/text/fold-text.ts'
import { type Fact, parseFacts, splitName } from './lexicon.ts'
import { type RoomAttributes, readAttributes } from './read-attributes.ts'

/** A vendor's room, from content or only from an offer. */
export type KnownRoom = {
  readonly vendorId: string
  readonly roomKey: string
  readonly name: string
  readonly beds: readonly string[]
  readonly squareMeters: number
  readonly content: RoomContent | undefined
}

export type OfferedRoom = {
  readonly vendorId: string
  readonly roomId: string
  /** Set if the offer is a mixture of several rooms. */
  readonly roomIds?: readonly string[]
  readonly name: string
  readonly beds: readonly string[]
}

export const toRoomKey = ({ vendorId, roomKey }: Pick<KnownRoom, 'vendorId' | 'roomKey'>) => `${vendorId}:${roomKey}`

export const listedRoom = (vendorId: string, content: RoomContent): KnownRoom => ({
  vendorId,
  roomKey: content.id,
  name: content.name,
  beds: content.beds,
  squareMeters: content.squareMeters,
  content,
})

const KEY_MAX = 200
const MIXTURE = 'mixture~'
const UNLISTED = '~'

/** Identified by name, because vendors derive such ids from the rate, or use one for all. */
export function unlistedRoom(offer: OfferedRoom): KnownRoom {
  const name = withoutRateWords(offer.name)
  const key = isMixture(offer)
    ? `${MIXTURE}${[...new Set(offer.roomIds)].sort().join('+')}`
    : name === ''
      ? `${offer.roomId}${UNLISTED}`
      : `${UNLISTED}${foldText(name)}`
  return {
    vendorId: offer.vendorId,
    roomKey: key.slice(0, KEY_MAX),
    name,
    beds: isMixture(offer) ? [] : offer.beds,
    squareMeters: 0,
    content: undefined,
  }
}

export const isUnlisted = (roomKey: string): boolean => roomKey.includes(UNLISTED)
export const isMixture = ({ roomIds = [] }: Pick<OfferedRoom, 'roomIds'>): boolean => new Set(roomIds).size > 1

/** A mixture of rooms matches only itself. */
export function readRoomAttributes({ roomKey, name, beds, squareMeters }: KnownRoom): RoomAttributes {
  if (!roomKey.startsWith(MIXTURE)) return readAttributes({ name, beds, squareMeters })
  const read = readAttributes({ name: '' })
  return { ...read, kinds: ['mixture'], words: [roomKey], strict: roomKey }
}

const MEANINGLESS = new Set(['rate', 'noise', 'count', 'num', 'and', 'or', 'people', 'without'])
const isRate = ({ name }: Fact) => name === 'rate'

/** "Deluxe King Room - Room Only - Non Refundable" → "Deluxe King Room". */
export function withoutRateWords(name: string): string {
  const parts = splitName(name)
  const kept = parts.filter(({ text }, index) => {
    const facts = parseFacts(text)
    return (
      index === 0 || facts.length === 0 || !facts.some(isRate) || !facts.every((fact) => MEANINGLESS.has(fact.name))
    )
  })
  if (kept.length === parts.length) return name
  const text = kept.map((part, index) => (index === 0 ? part.text : `${part.before}${part.text}`)).join('')
  const isBalanced = text.split('(').length === text.split(')').length
  return (isBalanced ? text : text.replace(/[()]/g, '')).replace(/[\s,;:|([-]+$/, '').trim()
}
