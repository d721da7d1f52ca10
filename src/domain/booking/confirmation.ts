import type { Confirmation, ConfirmationNumbers } from './booking.ts'

/** Combines the rooms' distinct property numbers into one for the booking. */
export function buildConfirmation(vendor: string, rooms: readonly ConfirmationNumbers[]): Confirmation {
  const property = [...new Set(rooms.flatMap((room) => room.property ?? []))].join(', ')
  return { ...(vendor !== '' && { vendor }), ...(property !== '' && { property }), rooms }
}

/** Keeps known numbers that the vendor did not report again. */
export function mergeConfirmations(known: Confirmation | undefined, reported: Confirmation): Confirmation {
  if (known === undefined) return reported
  const length = Math.max(known.rooms.length, reported.rooms.length)
  const rooms = Array.from({ length }, (_, i) => ({ ...known.rooms[i], ...reported.rooms[i] }))
  return { ...known, ...reported, rooms }
}

export const isSameConfirmation = (a: Confirmation | undefined, b: Confirmation): boolean =>
  a !== undefined &&
  isSame(a, b) &&
  a.rooms.length === b.rooms.length &&
  a.rooms.every((room, i) => isSame(room, b.rooms[i]))

const isSame = (a: ConfirmationNumbers, b: ConfirmationNumbers | undefined) =>
  a.vendor === b?.vendor && a.property === b?.property
