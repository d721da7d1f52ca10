import type { Detail, Room } from '../api/shapes.ts'

/** Offers of one room with the same board and cancellation: the cheapest, and the others. */
export type RateGroup = { readonly key: string; readonly best: Room; readonly others: readonly Room[] }

/** A room with all its rates, cheapest first. */
export type RoomGroup = {
  readonly key: string
  readonly type: Detail['room_types'][number]
  /** Offer with the best description of the room. */
  readonly room: Room
  readonly rates: readonly RateGroup[]
}

/** False only if the search has conditions that the room does not meet. */
export const isWantedRoom = ({ meets_conditions: meets = true }: Room): boolean => meets

/** Cheapest room that meets the conditions of the search, or the cheapest of all if none does. */
export const findFirstOffer = ({ available_rooms: rooms }: Detail): Room | undefined =>
  rooms.find(isWantedRoom) ?? rooms[0]

/** Groups the wanted offers, cheapest room first. */
export function groupRoomOffers(
  { available_rooms: rooms, room_types: types }: Detail,
  isWanted: (room: Room) => boolean = () => true,
): RoomGroup[] {
  const groups = types.flatMap((type) => {
    const offers = type.rooms.flatMap((index) => rooms[index] ?? []).filter(isWanted)
    const [first] = offers
    if (first === undefined) return []
    const room = offers.reduce((best, each) => (descriptionScore(each) > descriptionScore(best) ? each : best), first)
    return [
      { cheapest: first.total_inclusive, group: { key: type.room_type_id, type, room, rates: groupRates(offers) } },
    ]
  })
  return groups.toSorted((a, b) => a.cheapest - b.cheapest).map(({ group }) => group)
}

const descriptionScore = (room: Room): number =>
  room.images.length * 10 + room.description.length / 50 + room.size.square_meters

/** Groups by board and cancellation. Offers come cheapest first. */
function groupRates(offers: readonly Room[]): RateGroup[] {
  const groups = Map.groupBy(offers, ({ board, cancel_policy }) => `${board} ${cancel_policy.cancelation}`)
  return [...groups].flatMap(([key, [best, ...others]]) => (best === undefined ? [] : [{ key, best, others }]))
}

/** Other vendors of the rate, each with its cheapest offer. */
export function findOtherVendors({ best, others }: RateGroup): Room[] {
  const byVendor = Map.groupBy(others, ({ vendor_id }) => vendor_id)
  byVendor.delete(best.vendor_id)
  return [...byVendor.values()].flatMap(([cheapest]) => cheapest ?? [])
}

/** Merges the two shapes of amenities into one list of names. */
export function listAmenityNames(amenities: Room['amenities']): string[] {
  const names = Object.values(amenities).flatMap((entry) =>
    Array.isArray(entry) ? entry.map(({ name, value }) => (value ? `${name}: ${value}` : name)) : [entry.name],
  )
  return [...new Set(names)]
}
