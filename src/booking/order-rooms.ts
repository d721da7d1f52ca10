import type { Stay } from '../domain/stay.ts'
import type { Receipt } from '../vendors/contract.ts'
import { partyKey } from './guests/guest-names.ts'

/** Orders the rooms of a receipt like the stay's, matched by party. Keeps the vendor's order if the parties differ. */
export function orderRooms({ occupancies }: Stay, { parties = [], ...receipt }: Receipt): Receipt {
  const unmatched = parties.map((party, index) => ({ party: partyKey(party), index }))
  const order = occupancies.flatMap((occupancy) => {
    const match = unmatched.findIndex(({ party }) => party === partyKey(occupancy))
    return match === -1 ? [] : unmatched.splice(match, 1).map(({ index }) => index)
  })
  if (order.length !== occupancies.length || unmatched.length > 0) return receipt
  const reorder = <T>(list: readonly T[]) =>
    list.length === order.length ? order.flatMap((index) => list[index] ?? []) : list
  const { roomStates, confirmation } = receipt
  return {
    ...receipt,
    ...(roomStates && { roomStates: reorder(roomStates) }),
    ...(confirmation && { confirmation: { ...confirmation, rooms: reorder(confirmation.rooms) } }),
  }
}
