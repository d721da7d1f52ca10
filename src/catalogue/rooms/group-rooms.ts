import { assignRooms, type Edge } from './assign-rooms.ts'
import { compareRooms, fewDifferences, ROOM_ATTRIBUTES, type RoomAttribute, scoreRooms } from './compare-rooms.ts'
import type { RoomAttributes } from './read-attributes.ts'

/** A room of one vendor in the property. */
export type VendorRoom = {
  /** `vendor_id:room key`. */
  readonly key: string
  readonly vendorId: string
  /** Described by the vendor's content; otherwise only offers name it. */
  readonly isListed: boolean
  readonly attributes: RoomAttributes
  /** The group it is known to belong to; such rooms stay together, and two such groups are never joined. */
  readonly groupId: string | undefined
}

/** What an operator decided on two rooms. */
export type RoomPinOf = (a: string, b: string) => 'split' | 'join' | undefined

type Cluster = {
  readonly members: number[]
  readonly vendors: Set<string>
  groupId: string | undefined
  isPinned: boolean
}
type Rooms = readonly VendorRoom[]

/**
 * Groups of rooms (as places in `rooms`) that are the same: first the identical rooms of each vendor, then vendor by vendor the
 * best assignment to the groups found so far. A group has one kind of room of each vendor.
 */
export function groupRooms(rooms: Rooms, findPin: RoomPinOf = () => undefined): number[][] {
  const placed: Cluster[] = []
  const byVendor = Map.groupBy(startClusters(rooms, findPin), ({ vendors }) => [...vendors].sort()[0] ?? '')
  for (const [, arriving] of [...byVendor].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const matched = assignRooms(edgesBetween(rooms, placed, arriving, findPin))
    const joined = new Map(matched.map(({ a, b }) => [b, placed[a]]))
    arriving.forEach((cluster, at) => {
      const target = joined.get(at)
      if (target === undefined) placed.push(cluster)
      else merge(target, cluster)
    })
  }
  return placed.map(({ members }) => members.sort((a, b) => a - b))
}

function merge(target: Cluster, { members, vendors, groupId, isPinned }: Cluster): void {
  target.members.push(...members)
  for (const vendorId of vendors) target.vendors.add(vendorId)
  target.groupId ??= groupId
  target.isPinned ||= isPinned
}

/** Rooms that belong together before anything is compared: known groups, an operator's joins, identical rooms of a vendor. */
function startClusters(rooms: Rooms, findPin: RoomPinOf): Cluster[] {
  const clusters: Cluster[] = []
  const byGroup = new Map<string, Cluster>()
  const bySignature = new Map<string, Cluster>()
  rooms.forEach(({ key, groupId, vendorId, attributes }, at) => {
    const signature = `${vendorId} ${JSON.stringify(attributes)}`
    const found = groupId === undefined ? bySignature.get(signature) : byGroup.get(groupId)
    const isSplit = found?.members.some((other) => findPin(key, keyAt(rooms, other)) === 'split')
    const own = { members: [at], vendors: new Set([vendorId]), groupId: isSplit ? undefined : groupId, isPinned: false }
    const cluster = isSplit ? undefined : found
    if (cluster === undefined) clusters.push(own)
    else merge(cluster, own)
    if (own.groupId !== undefined) byGroup.set(own.groupId, cluster ?? own)
    bySignature.set(signature, cluster ?? own)
  })
  return joinPinned(rooms, joinUnlisted(rooms, clusters, findPin), findPin)
}

/** A room that only offers name is the vendor's described room that it fits clearly better than any other. */
function joinUnlisted(rooms: Rooms, clusters: readonly Cluster[], findPin: RoomPinOf): Cluster[] {
  const isUnlisted = ({ members }: Cluster) => members.every((at) => rooms[at]?.isListed === false)
  const listed = clusters.filter((cluster) => !isUnlisted(cluster))
  const left = clusters.filter((cluster) => {
    if (cluster.groupId !== undefined || !isUnlisted(cluster)) return false
    const [best, second] = listed
      .flatMap((target) => {
        const score = fitOf(rooms, cluster, target, findPin)
        return score === undefined ? [] : [{ target, score }]
      })
      .sort((a, b) => b.score - a.score)
    if (best === undefined || best.score === second?.score) return true
    merge(best.target, cluster)
    return false
  })
  return [...clusters.filter((cluster) => cluster.groupId !== undefined || !isUnlisted(cluster)), ...left]
}

/** How well the room fits the same vendor's room in the other cluster. */
function fitOf(rooms: Rooms, { members: [first] }: Cluster, target: Cluster, findPin: RoomPinOf): number | undefined {
  const own = first === undefined ? undefined : rooms[first]
  const described = target.members
    .map((at) => rooms[at])
    .find((room) => room?.isListed && room.vendorId === own?.vendorId)
  if (own === undefined || described === undefined) return undefined
  if (target.members.some((at) => findPin(own.key, keyAt(rooms, at)) === 'split')) return undefined
  return scoreRooms(own.attributes, described.attributes)
}

function joinPinned(rooms: Rooms, clusters: readonly Cluster[], findPin: RoomPinOf): Cluster[] {
  const left: Cluster[] = []
  for (const cluster of clusters) {
    cluster.isPinned = isPinnedTo(rooms, cluster, cluster, findPin)
    const target = left.find((other) => isPinnedTo(rooms, cluster, other, findPin))
    if (target === undefined) left.push(cluster)
    else merge(target, { ...cluster, isPinned: true })
  }
  return left
}

const isPinnedTo = (rooms: Rooms, a: Cluster, b: Cluster, findPin: RoomPinOf): boolean =>
  a.members.some((one) => b.members.some((other) => findPin(keyAt(rooms, one), keyAt(rooms, other)) === 'join'))

/** Only clusters with a member that says the same in everything strict are compared. */
function edgesBetween(
  rooms: Rooms,
  placed: readonly Cluster[],
  arriving: readonly Cluster[],
  findPin: RoomPinOf,
): Edge[] {
  const byStrict = Map.groupBy(
    placed.flatMap(({ members }, a) => members.map((at) => ({ a, strict: strictAt(rooms, at) }))),
    ({ strict }) => strict,
  )
  return arriving.flatMap((cluster, b) => {
    const strict = cluster.members.map((at) => strictAt(rooms, at))
    const alike = new Set(strict.flatMap((name) => byStrict.get(name) ?? []).map(({ a }) => a))
    return [...alike].flatMap((a) => {
      const target = placed[a]
      const score = target && scoreOf(rooms, target, cluster, findPin)
      return score === undefined ? [] : [{ a, b, score }]
    })
  })
}

/** The mean over all pairs; undefined if the two cannot be one group. */
function scoreOf(rooms: Rooms, a: Cluster, b: Cluster, findPin: RoomPinOf): number | undefined {
  if (a.groupId !== undefined && b.groupId !== undefined) return undefined
  for (const vendorId of b.vendors) if (a.vendors.has(vendorId)) return undefined
  const scores: number[] = []
  for (const one of a.members) {
    for (const other of b.members) {
      const [roomA, roomB] = [rooms[one], rooms[other]]
      if (roomA === undefined || roomB === undefined) continue
      if (findPin(roomA.key, roomB.key) === 'split') return undefined
      const score = scoreRooms(roomA.attributes, roomB.attributes)
      if (score !== undefined) scores.push(score)
      // What an operator joined need not look alike; then it is enough that one of them does.
      else if (!a.isPinned && !b.isPinned) return undefined
    }
  }
  return scores.length === 0 ? undefined : scores.reduce((sum, score) => sum + score, 0) / scores.length
}

const keyAt = (rooms: Rooms, at: number) => rooms[at]?.key ?? ''
const strictAt = (rooms: Rooms, at: number) => rooms[at]?.attributes.strict ?? ''

/** What matched the rooms of a group, each attribute once. */
export function matchedBy(group: readonly VendorRoom[], findPin: RoomPinOf): (RoomAttribute | 'operator')[] {
  const said = new Set<RoomAttribute | 'operator'>()
  group.forEach((a, at) => {
    for (const b of group.slice(at + 1)) {
      if (findPin(a.key, b.key) === 'join') said.add('operator')
      const verdict = compareRooms(a.attributes, b.attributes)
      if (verdict.same) for (const attribute of verdict.by) said.add(attribute)
    }
  })
  return [...said]
}

type KeptSeparateBy = RoomAttribute | 'operator' | 'doubt'

/**
 * By what the group differs from the one that is most like it. `doubt`: nothing speaks against the match, but another room of the
 * same vendor fits as well.
 */
export function keptSeparateBy(
  group: readonly VendorRoom[],
  others: readonly (readonly VendorRoom[])[],
  findPin: RoomPinOf,
): KeptSeparateBy[] {
  let nearest: KeptSeparateBy[] = []
  for (const other of others) {
    const [a, b] = [group[0], other[0]]
    if (a === undefined || b === undefined || other === group) continue
    if (group.some((one) => other.some((two) => findPin(one.key, two.key) === 'split'))) return ['operator']
    const most = nearest.length === 0 ? ROOM_ATTRIBUTES.length : nearest.length - 1
    const by = fewDifferences(a.attributes, b.attributes, most)
    if (by !== undefined) nearest = by.length === 0 ? ['doubt'] : by
  }
  return nearest
}
