import type { Confirmation, ConfirmationNumbers } from './booking.ts'

/** The numbers of a whole booking, out of those of its rooms: a number for each that differs. */
export function confirmationOf(vendor: string, rooms: readonly ConfirmationNumbers[]): Confirmation {
  const property = [...new Set(rooms.flatMap((room) => room.property ?? []))].join(', ')
  return { ...(vendor !== '' && { vendor }), ...(property !== '' && { property }), rooms }
}

/** What is told now beside what was known: numbers that are not told again stay. */
export function addNumbers(known: Confirmation | undefined, told: Confirmation): Confirmation {
  if (known === undefined) return told
  const most = Math.max(known.rooms.length, told.rooms.length)
  const rooms = Array.from({ length: most }, (_, at) => ({ ...known.rooms[at], ...told.rooms[at] }))
  return { ...known, ...told, rooms }
}

export const sameNumbers = (a: Confirmation | undefined, b: Confirmation): boolean =>
  a !== undefined &&
  isSame(a, b) &&
  a.rooms.length === b.rooms.length &&
  a.rooms.every((room, at) => isSame(room, b.rooms[at]))

const isSame = (a: ConfirmationNumbers, b: ConfirmationNumbers | undefined) =>
  a.vendor === b?.vendor && a.property === b?.property
