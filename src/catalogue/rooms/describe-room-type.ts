import { CATALOGUE_LANGUAGE } from '../../domain/property/property-texts.ts'
import type { RoomType, RoomTypeAttributes } from '../../domain/property/room-type.ts'
import type { KnownRoom } from './known-room.ts'
import type { RoomAttributes } from './read-attributes.ts'
import { readableName } from './readable-name.ts'

type Member = { readonly room: KnownRoom; readonly attributes: RoomAttributes }

/** Takes name, images and beds each from the member with the most content, regardless of offers. */
export function describeRoomType(
  roomTypeId: string,
  members: readonly Member[],
  reasons: Pick<RoomType, 'matchedBy' | 'keptSeparateBy'>,
): RoomType {
  const rooms = richestFirst(members.map(({ room }) => room))
  const listed = rooms.filter(({ content }) => content !== undefined)
  const sized = rooms.find(({ content }) => (content?.squareMeters ?? 0) > 0)?.content
  return {
    roomTypeId,
    name: readableName((listed.length > 0 ? listed : rooms).map(({ name }) => name)),
    language: listed.length > 0 ? CATALOGUE_LANGUAGE : 'und',
    beds: rooms.find(({ beds }) => beds.length > 0)?.beds ?? [],
    squareMeters: sized?.squareMeters ?? 0,
    squareFeet: sized?.squareFeet ?? 0,
    images: rooms.find(({ content }) => (content?.images.length ?? 0) > 0)?.content?.images ?? [],
    attributes: combineAttributes(members.map(({ attributes }) => attributes)),
    ...reasons,
  }
}

/** Name of a vendor's room in another language. */
type FindName = (vendorId: string, roomId: string) => string | undefined

/** Translates the name, if one of the rooms has a translation. */
export function nameInLanguage(
  type: RoomType,
  rooms: readonly KnownRoom[],
  language: string,
  findName: FindName,
): RoomType {
  const names = richestFirst(rooms).flatMap(({ vendorId, roomKey }) => findName(vendorId, roomKey) ?? [])
  return names.length === 0 ? type : { ...type, name: readableName(names), language }
}

const richestFirst = (rooms: readonly KnownRoom[]) => [...rooms].sort((a, b) => richness(b) - richness(a))

const richness = ({ content, beds }: KnownRoom): number =>
  content === undefined
    ? -1
    : content.images.length * 10 + content.description.length / 50 + content.squareMeters + beds.length

function combineAttributes(all: readonly RoomAttributes[]): RoomTypeAttributes {
  const longest = (read: (attributes: RoomAttributes) => readonly string[]) =>
    all.map(read).reduce((best, list) => (list.length > best.length ? list : best), [])
  const first = <T>(read: (attributes: RoomAttributes) => T | undefined) =>
    all.map(read).find((value) => value !== undefined)
  const plain = first(({ plainGrade }) => plainGrade)
  return {
    kind: longest(({ kinds }) => kinds)[0] ?? 'room',
    grade: [
      ...longest(({ grades }) => (grades.length > 0 || plain === undefined ? grades : [plain])),
      ...longest(({ words }) => words),
    ],
    bedrooms: first(({ bedrooms }) => bedrooms),
    occupancy: first(({ occupancy }) => occupancy),
    views: longest(({ views }) => views),
    outdoor: longest(({ outdoor }) => outdoor),
    features: longest(({ features }) => features),
    locations: longest(({ locations }) => locations),
    access: longest(({ access }) => access),
    smoking: first(({ smoking }) => smoking),
  }
}
