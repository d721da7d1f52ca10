import type { Stay } from '../domain/stay.ts'
import type { Receipt } from '../vendors/contract.ts'
import { partyOf } from './guests/guest-names.ts'

/**
 * Puts the rooms of a vendor's answer into the order of the stay. They are identified by their parties. Rooms with equal parties keep
 * the vendor's order, and so do all rooms if the parties are not those of the stay.
 */
export function inOrderOf({ occupancies }: Stay, { parties = [], ...receipt }: Receipt): Receipt {
  const open = parties.map((party, place) => ({ party: partyOf(party), place }))
  const places = occupancies.flatMap((occupancy) => {
    const at = open.findIndex(({ party }) => party === partyOf(occupancy))
    return at === -1 ? [] : open.splice(at, 1).map(({ place }) => place)
  })
  if (places.length !== occupancies.length || open.length > 0) return receipt
  const ordered = <T>(list: readonly T[]) =>
    list.length === places.length ? places.flatMap((place) => list[place] ?? []) : list
  const { roomStates, confirmation } = receipt
  return {
    ...receipt,
    ...(roomStates && { roomStates: ordered(roomStates) }),
    ...(confirmation && { confirmation: { ...confirmation, rooms: ordered(confirmation.rooms) } }),
  }
}
