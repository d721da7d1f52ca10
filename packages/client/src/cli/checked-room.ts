import type { Client } from '../create-client.ts'
import type { PriceCheck, Room } from '../generated/api-types.ts'
import { getRoomCharge } from '../room-charge.ts'
import { describeCancellation, readDetail } from './commands/show.ts'
import { CommandError, EXIT } from './exit-codes.ts'
import { readLastSearch, resolvePosition, type ShownRoom, saveShownRooms } from './last-search.ts'
import { formatMoney, paint, printInfo, stripControls } from './output.ts'

export type CheckedRoom = PriceCheck & { readonly room: Room; readonly terms_digest: string }

/** Room shown under this number; fetches the rooms if the property has not been shown yet. */
export async function findShownRoom(client: Client, position: string): Promise<ShownRoom> {
  const last = readLastSearch()
  const { propertyId, room } = resolvePosition(last, position)
  const rooms = last.rooms[propertyId] ?? (await fetchRooms(client, propertyId))
  const chosen = rooms[room - 1]
  if (chosen === undefined) throw new CommandError(`The property has only ${rooms.length} rooms.`, EXIT.notFound)
  return chosen
}

async function fetchRooms(client: Client, propertyId: string): Promise<readonly ShownRoom[]> {
  const last = readLastSearch()
  const { available_rooms: rooms } = await readDetail(client, last.searchId, propertyId)
  saveShownRooms(last, propertyId, rooms)
  return rooms
}

/** Checks the current price and terms; throws if the room is sold out. */
export async function checkRoom(client: Client, room: ShownRoom): Promise<CheckedRoom> {
  const checked = await client.booking.checkRoom(room)
  if (checked.room === null || checked.terms_digest === null)
    throw new CommandError(`${stripControls(room.name)} is sold out.`, EXIT.refused)
  return { ...checked, room: checked.room, terms_digest: checked.terms_digest }
}

function formatFee({ label, amount, currency, paid_at, local }: Room['fees'][number]): string {
  const localAmount = local === undefined ? '' : ` (${formatMoney(local.amount, local.currency)} in local currency)`
  return `${stripControls(label)}: ${formatMoney(amount, currency)}${paid_at === 'property' ? ' at the property' : ''}${localAmount}`
}

/** Prints everything that the customer accepts by booking. */
export function printTerms({ status, changes, room }: CheckedRoom): void {
  const { currency, total, taxesFees, dueAtProperty, fees } = getRoomCharge(room)
  console.log(paint('bold', stripControls(room.name)))
  const shown = room.converted_from === null ? '' : ` (about ${formatMoney(room.total_inclusive, room.currency)})`
  console.log(`Total         ${formatMoney(total, currency)}${shown}`)
  if (dueAtProperty > 0) console.log(`  including   ${formatMoney(dueAtProperty, currency)} at the property`)
  if (taxesFees > 0) console.log(`  including   ${formatMoney(taxesFees, currency)} taxes and fees`)
  for (const fee of fees) console.log(`Fee           ${formatFee(fee)}`)
  if (room.beds.length > 0) console.log(`Beds          ${stripControls(room.beds.join(', '))}`)
  console.log(`Board         ${room.board}`)
  console.log(`Cancellation  ${describeCancellation(room)}`)
  for (const { from, amount } of room.converted_from?.penalties ?? room.cancel_policy.penalties)
    console.log(`  fee         ${formatMoney(amount, currency)} from ${from.slice(0, 16)}`)
  for (const { title, text, url } of room.notices)
    console.log(
      `Notice        ${stripControls(title)}: ${stripControls(text)}${url === null ? '' : ` ${stripControls(url)}`}`,
    )
  if (status !== 'matched') printInfo(paint('yellow', `Changed since it was shown (${status}):`))
  for (const { what, shown, now } of changes) printInfo(`  ${what}: ${JSON.stringify(shown)} → ${JSON.stringify(now)}`)
}
