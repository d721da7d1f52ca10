import { hash } from 'node:crypto'
import type { VendorProperty } from '../../domain/property/property.ts'
import type { PropertyTexts } from '../../domain/property/property-texts.ts'
import type { RoomType } from '../../domain/property/room-type.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Tables } from '../../store/tables.ts'
import { pinKey } from '../matching/manual-matches.ts'
import type { RoomTypeStore } from '../store/room-types.ts'
import { describeRoomType, nameInLanguage } from './describe-room-type.ts'
import { type FindRoomPin, groupRooms, keptSeparateBy, matchedBy, type VendorRoom } from './group-rooms.ts'
import {
  isMixture,
  isUnlisted,
  type KnownRoom,
  listedRoom,
  type OfferedRoom,
  readRoomAttributes,
  toRoomKey,
  unlistedRoom,
} from './known-room.ts'

/** Increment when the rules change, so that all rooms are judged again; they keep their ids if possible. */
const RULES = 2
/** Names from offers are unlimited; beyond this they are matched but not stored. */
const STORED_MAX = 400

export type RoomTypeGroup = { readonly type: RoomType; readonly rooms: readonly KnownRoom[] }
type StoredRooms = {
  readonly members: readonly Tables['room_type_members'][]
  readonly pins: readonly Tables['room_pins'][]
}
const NOTHING_STORED: StoredRooms = { members: [], pins: [] }

export type RoomTypes = ReturnType<typeof createRoomTypes>

/** Stored, so that ids stay the same whatever is offered. */
export function createRoomTypes({ store, clock }: { store: RoomTypeStore; clock: Clock }) {
  async function groups(propertyId: string, contents: readonly VendorProperty[], offers: readonly OfferedRoom[]) {
    const stored = await store.read(propertyId)
    const decided = decideRoomTypes(propertyId, contents, offers, stored)
    const changed = findChanges(propertyId, decided, stored, clock.now())
    if (changed.length > 0) await store.write(changed)
    return decided
  }
  return {
    groups,
    /** Room type of each offer, in order. Matches by English names and ids, whatever the language. */
    async forOffers(
      propertyId: string,
      contents: readonly VendorProperty[],
      offers: readonly OfferedRoom[],
      texts: ReadonlyMap<string, PropertyTexts> = new Map(),
    ) {
      const decided = await groups(propertyId, contents, offers)
      return typesOfOffers(groupsInLanguage(decided, texts), contents, offers)
    },
  }
}

/** Room type of each offer without a store. Deterministic. */
export const unstoredRoomTypes = (
  propertyId: string,
  contents: readonly VendorProperty[],
  offers: readonly OfferedRoom[],
): RoomType[] => typesOfOffers(decideRoomTypes(propertyId, contents, offers, NOTHING_STORED), contents, offers)

function groupsInLanguage(groups: readonly RoomTypeGroup[], texts: ReadonlyMap<string, PropertyTexts>) {
  const [first] = texts.values()
  if (first === undefined) return groups
  const findName = (vendorId: string, roomId: string) => texts.get(vendorId)?.rooms[roomId]?.name
  return groups.map(({ type, rooms }) => ({ type: nameInLanguage(type, rooms, first.language, findName), rooms }))
}

function typesOfOffers(
  groups: readonly RoomTypeGroup[],
  contents: readonly VendorProperty[],
  offers: readonly OfferedRoom[],
): RoomType[] {
  const types = new Map(groups.flatMap(({ type, rooms }) => rooms.map((room) => [toRoomKey(room), type] as const)))
  const listed = listRooms(contents)
  return offers.map((offer) => {
    const type = types.get(toRoomKey(listed.get(offerKey(offer)) ?? unlistedRoom(offer)))
    if (type === undefined) throw new Error('An offer has no room type.')
    return type
  })
}

const offerKey = (offer: OfferedRoom) =>
  isMixture(offer) ? '' : toRoomKey({ vendorId: offer.vendorId, roomKey: offer.roomId })

const listRooms = (contents: readonly VendorProperty[]): Map<string, KnownRoom> =>
  new Map(
    contents
      .flatMap(({ vendorId, rooms }) => rooms.map((room) => listedRoom(vendorId, room)))
      .map((room) => [toRoomKey(room), room]),
  )

function decideRoomTypes(
  propertyId: string,
  contents: readonly VendorProperty[],
  offers: readonly OfferedRoom[],
  stored: StoredRooms,
): RoomTypeGroup[] {
  const rows = rowsByKey(stored.members)
  const known = listRooms(contents)
  for (const offer of offers) {
    if (known.has(offerKey(offer))) continue
    const room = unlistedRoom(offer)
    if (!known.has(toRoomKey(room))) known.set(toRoomKey(room), room)
  }
  for (const row of stored.members) {
    const isSold = contents.some(({ vendorId }) => vendorId === row.vendor_id)
    if (isSold && isUnlisted(row.room_key) && !known.has(rowKey(row))) known.set(rowKey(row), toRoom(row))
  }
  // Settled rooms first, then by key, so that the result does not depend on the order of vendors.
  const rooms = [...known.values()]
    .map((room): VendorRoom & { room: KnownRoom } => {
      const key = toRoomKey(room)
      const row = rows.get(key)
      const groupId = row !== undefined && isSettled(row, room) ? row.room_type_id : undefined
      const isListed = room.content !== undefined
      return { key, vendorId: room.vendorId, isListed, attributes: readRoomAttributes(room), groupId, room }
    })
    .sort((a, b) => Number(b.groupId !== undefined) - Number(a.groupId !== undefined) || (a.key < b.key ? -1 : 1))
  const findPin = createFindPin(stored.pins)
  const groups = groupRooms(rooms, findPin).map((indices) => indices.flatMap((index) => rooms[index] ?? []))
  const ids = assignIds(propertyId, groups, rows)
  return groups.map((group, index) => ({
    type: describeRoomType(ids[index] ?? '', group, {
      matchedBy: matchedBy(group, findPin),
      keptSeparateBy: keptSeparateBy(group, groups, findPin),
    }),
    rooms: group.map(({ room }) => room),
  }))
}

/** True if no input of the decision has changed. */
const isSettled = (row: Tables['room_type_members'], room: KnownRoom): boolean =>
  row.rules >= RULES &&
  row.name === room.name &&
  row.square_meters === room.squareMeters &&
  (isUnlisted(row.room_key) || row.beds === JSON.stringify(room.beds))

/** A settled group keeps its id; another takes the most frequent id of its rooms, or a new one. */
function assignIds(
  propertyId: string,
  groups: readonly (readonly VendorRoom[])[],
  rows: ReadonlyMap<string, Tables['room_type_members']>,
) {
  const taken = new Set(groups.flatMap((group) => group.flatMap(({ groupId }) => groupId ?? [])))
  return groups.map((group) => {
    const settled = group.find(({ groupId }) => groupId !== undefined)?.groupId
    if (settled !== undefined) return settled
    const earlier = Map.groupBy(
      group.flatMap(({ key }) => rows.get(key)?.room_type_id ?? []),
      (id) => id,
    )
    const [kept] = [...earlier.values()]
      .sort((a, b) => b.length - a.length)
      .map(([id]) => id ?? '')
      .filter((id) => !taken.has(id))
    const id = kept ?? newRoomTypeId(propertyId, group[0]?.key ?? '', taken)
    taken.add(id)
    return id
  })
}

export function newRoomTypeId(propertyId: string, key: string, taken: ReadonlySet<string>): string {
  for (let attempt = 0; ; attempt += 1) {
    const id = `rmt_${hash('sha256', JSON.stringify([propertyId, key, attempt]), 'hex').slice(0, 20)}`
    if (!taken.has(id)) return id
  }
}

/** New and changed rows. */
function findChanges(
  propertyId: string,
  groups: readonly RoomTypeGroup[],
  { members }: StoredRooms,
  now: number,
): Tables['room_type_members'][] {
  const rows = rowsByKey(members)
  const isFull = members.length >= STORED_MAX
  return groups
    .flatMap(({ type, rooms }) => rooms.map((room) => toMemberRow(propertyId, type.roomTypeId, room, now)))
    .filter((row) => {
      const before = rows.get(rowKey(row))
      if (before === undefined) return !isFull || !isUnlisted(row.room_key)
      return before.room_type_id !== row.room_type_id || !isSettled(before, toRoom(row))
    })
}

export const toMemberRow = (
  propertyId: string,
  roomTypeId: string,
  room: KnownRoom,
  now: number,
): Tables['room_type_members'] => ({
  property_id: propertyId,
  vendor_id: room.vendorId,
  room_key: room.roomKey,
  room_type_id: roomTypeId,
  name: room.name,
  beds: JSON.stringify(room.beds),
  square_meters: room.squareMeters,
  rules: RULES,
  decided_at: now,
})

const toRoom = (row: Tables['room_type_members']): KnownRoom => ({
  vendorId: row.vendor_id,
  roomKey: row.room_key,
  name: row.name,
  beds: JSON.parse(row.beds),
  squareMeters: row.square_meters,
  content: undefined,
})

const rowKey = (row: Tables['room_type_members']) => toRoomKey({ vendorId: row.vendor_id, roomKey: row.room_key })
const rowsByKey = (rows: readonly Tables['room_type_members'][]) => new Map(rows.map((row) => [rowKey(row), row]))

function createFindPin(rows: readonly Tables['room_pins'][]): FindRoomPin {
  const pins = new Map(rows.map(({ a, b, kind }) => [pinKey(a, b), kind]))
  return (a, b) => (pins.size === 0 ? undefined : pins.get(pinKey(a, b)))
}
