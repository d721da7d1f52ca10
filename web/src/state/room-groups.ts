import type { Room } from '../api/shapes.ts'

/** One kind of room with everything it is sold under, cheapest first. */
export type RoomGroup = { readonly key: string; readonly room: Room; readonly choices: readonly Room[] }

/** Groups by name: two vendors call the same room by the same words but never by the same number. */
export function groupRooms(rooms: readonly Room[]): RoomGroup[] {
  const groups = new Map<string, Room[]>()
  for (const room of rooms) {
    const key = room.name.trim().toLowerCase()
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [room])
    else group.push(room)
  }
  return [...groups].map(([key, choices]) => {
    const sorted = withoutRepeats(choices.toSorted((a, b) => a.total_inclusive - b.total_inclusive))
    // The fullest description, whoever wrote it.
    const room = choices.reduce((best, each) => (weight(each) > weight(best) ? each : best))
    return { key, room, choices: sorted }
  })
}

const weight = (room: Room): number => room.images.length * 10 + room.description.length / 50 + room.size.square_meters

/** The same terms from two vendors are one choice: the cheaper. */
function withoutRepeats(sorted: readonly Room[]): Room[] {
  const seen = new Set<string>()
  return sorted.filter((room) => {
    const terms = JSON.stringify([room.board, room.beds, room.cancel_policy.cancelation, room.cancel_policy.expires])
    if (seen.has(terms)) return false
    seen.add(terms)
    return true
  })
}

/** Both shapes that vendors give, as one list of names. */
export function amenityNames(amenities: Room['amenities']): string[] {
  const names = Object.values(amenities).flatMap((entry) =>
    Array.isArray(entry) ? entry.map(({ name, value }) => (value ? `${name}: ${value}` : name)) : [entry.name],
  )
  return [...new Set(names)]
}
