import type { Clock } from '../../lib/time/clock.ts'
import type { Tables } from '../../store/tables.ts'
import { type DecisionNote, NO_NOTE, type Refused, refused } from '../matching/curate-matches.ts'
import { sortPair } from '../matching/manual-matches.ts'
import { type PropertyContent, readPropertyContent } from '../properties/read-property.ts'
import type { CatalogueReader } from '../store/catalogue.ts'
import type { RoomTypeStore } from '../store/room-types.ts'
import { type KnownRoom, toRoomKey } from './known-room.ts'
import { newRoomTypeId, type RoomTypeGroup, type RoomTypes, toMemberRow } from './room-types.ts'

export type RoomsCurated = { readonly ok: true; readonly roomTypeId: string } | Refused

type Deps = {
  readonly catalogue: Pick<CatalogueReader, 'properties' | 'contents'>
  readonly store: RoomTypeStore
  readonly roomTypes: RoomTypes
  readonly clock: Clock
}
type RoomRef = Pick<KnownRoom, 'vendorId' | 'roomKey'>
type Found = { readonly content: PropertyContent; readonly groups: readonly RoomTypeGroup[] }

/** Operators' decisions on rooms, which no later content changes. */
export function createCurateRooms(deps: Deps) {
  async function find(propertyId: string): Promise<Found | undefined> {
    const content = await readPropertyContent(deps.catalogue, propertyId)
    if (content === undefined) return undefined
    return { content, groups: await deps.roomTypes.groups(content.propertyId, content.contents, []) }
  }
  return {
    explain: async (propertyId: string) => (await find(propertyId))?.groups,

    /** Gives one vendor's room its own room type; the others keep theirs. */
    split: async (propertyId: string, room: RoomRef, note: DecisionNote = NO_NOTE): Promise<RoomsCurated> => {
      const found = await find(propertyId)
      return found === undefined ? noProperty(propertyId) : split(deps, found, room, note)
    },

    /** Merges two room types: `keep` keeps its id. */
    join: async (
      propertyId: string,
      keep: string,
      gone: string,
      note: DecisionNote = NO_NOTE,
    ): Promise<RoomsCurated> => {
      const found = await find(propertyId)
      return found === undefined ? noProperty(propertyId) : join(deps, found, [keep, gone], note)
    },
  }
}

async function split(
  { store, clock }: Deps,
  { content, groups }: Found,
  { vendorId, roomKey }: RoomRef,
  note: DecisionNote,
) {
  const { propertyId } = content
  const key = toRoomKey({ vendorId, roomKey })
  const group = groups.find(({ rooms }) => rooms.some((room) => toRoomKey(room) === key))
  const room = group?.rooms.find((candidate) => toRoomKey(candidate) === key)
  if (group === undefined || room === undefined) return refused(`${propertyId} has no room ${key}.`)
  const rest = group.rooms.filter((other) => other !== room)
  if (rest.length === 0)
    return refused(`${key} is the only room of ${group.type.roomTypeId}, so there is nothing to split.`)
  const taken = new Set(groups.map(({ type }) => type.roomTypeId))
  const fresh = newRoomTypeId(propertyId, key, taken)
  const pins = rest.map((other) => pinRow([propertyId, key, toRoomKey(other)], 'split', clock.now(), note))
  const rows = rest.map((other) => toMemberRow(propertyId, group.type.roomTypeId, other, clock.now()))
  await store.write([...rows, toMemberRow(propertyId, fresh, room, clock.now())], pins)
  return { ok: true, roomTypeId: fresh } as const
}

async function join(
  { store, clock }: Deps,
  { content, groups }: Found,
  [keep, gone]: readonly [string, string],
  note: DecisionNote,
) {
  const { propertyId } = content
  if (keep === gone) return refused('A room type cannot be joined with itself.')
  const [kept, going] = [keep, gone].map((id) => groups.find(({ type }) => type.roomTypeId === id))
  if (kept === undefined || going === undefined)
    return refused(`${propertyId} has no room type ${kept === undefined ? keep : gone}.`)
  const pins = going.rooms.flatMap((room) =>
    kept.rooms.map((other) => pinRow([propertyId, toRoomKey(room), toRoomKey(other)], 'join', clock.now(), note)),
  )
  const rows = [...kept.rooms, ...going.rooms].map((room) => toMemberRow(propertyId, keep, room, clock.now()))
  await store.write(rows, pins)
  return { ok: true, roomTypeId: keep } as const
}

function pinRow(
  [propertyId, first, second]: readonly [string, string, string],
  kind: Tables['room_pins']['kind'],
  now: number,
  { by, reason }: DecisionNote,
): Tables['room_pins'] {
  const [a, b] = sortPair(first, second)
  return { property_id: propertyId, a, b, kind, decided_at: now, decided_by: by, reason }
}

const noProperty = (propertyId: string) => refused(`There is no property ${propertyId}.`)
