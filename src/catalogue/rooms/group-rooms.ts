import { assignRooms, type Edge } from './assign-rooms.ts'
import { compareRooms, fewDifferences, ROOM_ATTRIBUTES, type RoomAttribute, scoreRooms } from './compare-rooms.ts'
import type { RoomAttributes } from './read-attributes.ts'

export type VendorRoom = {
  /** `vendor_id:room key`. */
  readonly key: string
  readonly vendorId: string
  /** False if the room is known only from offers. */
  readonly isListed: boolean
  readonly attributes: RoomAttributes
  /** Known group; its rooms stay together, and two known groups are never joined. */
  readonly groupId: string | undefined
}

/** Operator's decision on two rooms. */
export type FindRoomPin = (a: string, b: string) => 'split' | 'join' | undefined

type Cluster = {
  readonly members: number[]
  readonly vendors: Set<string>
  groupId: string | undefined
  isPinned: boolean
}
type Rooms = readonly VendorRoom[]

/** Groups indices of equal rooms: identical rooms of each vendor, then vendor by vendor the best assignment to existing groups. */
export function groupRooms(rooms: Rooms, findPin: FindRoomPin = () => undefined): number[][] {
  const placed: Cluster[] = []
  const byVendor = Map.groupBy(startClusters(rooms, findPin), ({ vendors }) => [...vendors].sort()[0] ?? '')
  for (const [, arriving] of [...byVendor].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const matched = assignRooms(edgesBetween(rooms, placed, arriving, findPin))
    const joined = new Map(matched.map(({ a, b }) => [b, placed[a]]))
    arriving.forEach((cluster, index) => {
      const target = joined.get(index)
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

/** Rooms grouped without comparison: known groups, operators' joins, identical rooms of a vendor. */
function startClusters(rooms: Rooms, findPin: FindRoomPin): Cluster[] {
  const clusters: Cluster[] = []
  const byGroup = new Map<string, Cluster>()
  const bySignature = new Map<string, Cluster>()
  rooms.forEach(({ key, groupId, vendorId, attributes }, index) => {
    const signature = `${vendorId} ${JSON.stringify(attributes)}`
    const found = groupId === undefined ? bySignature.get(signature) : byGroup.get(groupId)
    const isSplit = found?.members.some((other) => findPin(key, keyAt(rooms, other)) === 'split')
    const own = {
      members: [index],
      vendors: new Set([vendorId]),
      groupId: isSplit ? undefined : groupId,
      isPinned: false,
    }
    const cluster = isSplit ? undefined : found
    if (cluster === undefined) clusters.push(own)
    else merge(cluster, own)
    if (own.groupId !== undefined) byGroup.set(own.groupId, cluster ?? own)
    bySignature.set(signature, cluster ?? own)
  })
  return joinPinned(rooms, joinUnlisted(rooms, clusters, findPin), findPin)
}

/** Joins a room known only from offers to the listed room of its vendor that fits clearly best. */
function joinUnlisted(rooms: Rooms, clusters: readonly Cluster[], findPin: FindRoomPin): Cluster[] {
  const isUnlisted = ({ members }: Cluster) => members.every((index) => rooms[index]?.isListed === false)
  const listed = clusters.filter((cluster) => !isUnlisted(cluster))
  const left = clusters.filter((cluster) => {
    if (cluster.groupId !== undefined || !isUnlisted(cluster)) return false
    const [best, second] = listed
      .flatMap((target) => {
        const score = scoreFit(rooms, cluster, target, findPin)
        return score === undefined ? [] : [{ target, score }]
      })
      .sort((a, b) => b.score - a.score)
    if (best === undefined || best.score === second?.score) return true
    merge(best.target, cluster)
    return false
  })
  return [...clusters.filter((cluster) => cluster.groupId !== undefined || !isUnlisted(cluster)), ...left]
}

/** Score against the same vendor's listed room in the other cluster. */
function scoreFit(
  rooms: Rooms,
  { members: [first] }: Cluster,
  target: Cluster,
  findPin: FindRoomPin,
): number | undefined {
  const own = first === undefined ? undefined : rooms[first]
  const described = target.members
    .map((index) => rooms[index])
    .find((room) => room?.isListed && room.vendorId === own?.vendorId)
  if (own === undefined || described === undefined) return undefined
  if (target.members.some((index) => findPin(own.key, keyAt(rooms, index)) === 'split')) return undefined
  return scoreRooms(own.attributes, described.attributes)
}

function joinPinned(rooms: Rooms, clusters: readonly Cluster[], findPin: FindRoomPin): Cluster[] {
  const left: Cluster[] = []
  for (const cluster of clusters) {
    cluster.isPinned = isPinnedTo(rooms, cluster, cluster, findPin)
    const target = left.find((other) => isPinnedTo(rooms, cluster, other, findPin))
    if (target === undefined) left.push(cluster)
    else merge(target, { ...cluster, isPinned: true })
  }
  return left
}

const isPinnedTo = (rooms: Rooms, a: Cluster, b: Cluster, findPin: FindRoomPin): boolean =>
  a.members.some((i) => b.members.some((j) => findPin(keyAt(rooms, i), keyAt(rooms, j)) === 'join'))

/** Compares only clusters that share a `strict` value. */
function edgesBetween(
  rooms: Rooms,
  placed: readonly Cluster[],
  arriving: readonly Cluster[],
  findPin: FindRoomPin,
): Edge[] {
  const byStrict = Map.groupBy(
    placed.flatMap(({ members }, a) => members.map((index) => ({ a, strict: strictAt(rooms, index) }))),
    ({ strict }) => strict,
  )
  return arriving.flatMap((cluster, b) => {
    const strict = cluster.members.map((index) => strictAt(rooms, index))
    const alike = new Set(strict.flatMap((value) => byStrict.get(value) ?? []).map(({ a }) => a))
    return [...alike].flatMap((a) => {
      const target = placed[a]
      const score = target && scoreClusters(rooms, target, cluster, findPin)
      return score === undefined ? [] : [{ a, b, score }]
    })
  })
}

/** Mean over all pairs; undefined if the clusters cannot be joined. */
function scoreClusters(rooms: Rooms, a: Cluster, b: Cluster, findPin: FindRoomPin): number | undefined {
  if (a.groupId !== undefined && b.groupId !== undefined) return undefined
  for (const vendorId of b.vendors) if (a.vendors.has(vendorId)) return undefined
  const scores: number[] = []
  for (const i of a.members) {
    for (const j of b.members) {
      const [roomA, roomB] = [rooms[i], rooms[j]]
      if (roomA === undefined || roomB === undefined) continue
      if (findPin(roomA.key, roomB.key) === 'split') return undefined
      const score = scoreRooms(roomA.attributes, roomB.attributes)
      if (score !== undefined) scores.push(score)
      // Rooms joined by an operator need not look alike; one match is enough.
      else if (!a.isPinned && !b.isPinned) return undefined
    }
  }
  return scores.length === 0 ? undefined : scores.reduce((sum, score) => sum + score, 0) / scores.length
}

const keyAt = (rooms: Rooms, index: number) => rooms[index]?.key ?? ''
const strictAt = (rooms: Rooms, index: number) => rooms[index]?.attributes.strict ?? ''

/** Attributes that match within a group. */
export function matchedBy(group: readonly VendorRoom[], findPin: FindRoomPin): (RoomAttribute | 'operator')[] {
  const reasons = new Set<RoomAttribute | 'operator'>()
  group.forEach((a, index) => {
    for (const b of group.slice(index + 1)) {
      if (findPin(a.key, b.key) === 'join') reasons.add('operator')
      const comparison = compareRooms(a.attributes, b.attributes)
      if (comparison.same) for (const attribute of comparison.by) reasons.add(attribute)
    }
  })
  return [...reasons]
}

type KeptSeparateBy = RoomAttribute | 'operator' | 'doubt'

/** Differences from the most similar group. `doubt`: no difference, but another room of the same vendor fits equally well. */
export function keptSeparateBy(
  group: readonly VendorRoom[],
  others: readonly (readonly VendorRoom[])[],
  findPin: FindRoomPin,
): KeptSeparateBy[] {
  let nearest: KeptSeparateBy[] = []
  for (const other of others) {
    const [a, b] = [group[0], other[0]]
    if (a === undefined || b === undefined || other === group) continue
    if (group.some((room) => other.some(({ key }) => findPin(room.key, key) === 'split'))) return ['operator']
    const max = nearest.length === 0 ? ROOM_ATTRIBUTES.length : nearest.length - 1
    const by = fewDifferences(a.attributes, b.attributes, max)
    if (by !== undefined) nearest = by.length === 0 ? ['doubt'] : by
  }
  return nearest
}
