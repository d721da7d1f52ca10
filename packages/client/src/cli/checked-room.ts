import type { Client } from '../create-client.ts'
import { chargeOf } from '../room-charge.ts'
import type { PriceCheck, Room } from '../shapes.ts'
import { cancellationOf, readDetail } from './commands/show.ts'
import { CommandError, EXIT } from './exit-codes.ts'
import { lastSearch, pointAt, rememberRooms, type ShownRoom } from './last-search.ts'
import { money, paint, plain, say } from './output.ts'

export type Checked = PriceCheck & { readonly room: Room; readonly terms_digest: string }

/** The room that was shown under this number, or that is there now if the property was not looked at yet. */
export async function roomAt(client: Client, point: string): Promise<ShownRoom> {
  const last = lastSearch()
  const { propertyId, room } = pointAt(last, point)
  const rooms = last.rooms[propertyId] ?? (await roomsNow(client, propertyId))
  const chosen = rooms[room - 1]
  if (chosen === undefined) throw new CommandError(`The property has ${rooms.length} rooms.`, EXIT.notFound)
  return chosen
}

async function roomsNow(client: Client, propertyId: string): Promise<readonly ShownRoom[]> {
  const last = lastSearch()
  const { available_rooms: rooms } = await readDetail(client, last.searchId, propertyId)
  rememberRooms(last, propertyId, rooms)
  return rooms
}

/** As the vendor stands by it now; a room that is gone ends the command. */
export async function checkRoom(client: Client, room: ShownRoom): Promise<Checked> {
  const checked = await client.booking.checkRoom(room)
  if (checked.room === null || checked.terms_digest === null)
    throw new CommandError(`${plain(room.name)} is sold out.`, EXIT.refused)
  return { ...checked, room: checked.room, terms_digest: checked.terms_digest }
}

function feeLine({ label, amount, currency, paid_at, local }: Room['fees'][number]): string {
  const there = local === undefined ? '' : ` (${money(local.amount, local.currency)} there)`
  return `${plain(label)}: ${money(amount, currency)}${paid_at === 'property' ? ' at the property' : ''}${there}`
}

/** Everything that is agreed to by booking. */
export function printTerms({ status, changes, room }: Checked): void {
  const { currency, total, taxesFees, dueAtProperty, fees } = chargeOf(room)
  console.log(paint('bold', plain(room.name)))
  const shown = room.converted_from === null ? '' : ` (about ${money(room.total_inclusive, room.currency)})`
  console.log(`Total         ${money(total, currency)}${shown}`)
  if (dueAtProperty > 0) console.log(`  of it       ${money(dueAtProperty, currency)} at the property`)
  if (taxesFees > 0) console.log(`  of it       ${money(taxesFees, currency)} taxes and fees`)
  for (const fee of fees) console.log(`Fee           ${feeLine(fee)}`)
  console.log(`Board         ${room.board}`)
  console.log(`Cancellation  ${cancellationOf(room)}`)
  for (const { from, amount } of room.converted_from?.penalties ?? room.cancel_policy.penalties)
    console.log(`  fee         ${money(amount, currency)} from ${from.slice(0, 16)}`)
  for (const { title, text, url } of room.notices)
    console.log(`Notice        ${plain(title)}: ${plain(text)}${url === null ? '' : ` ${plain(url)}`}`)
  if (status !== 'matched') say(paint('yellow', `Changed since it was shown (${status}):`))
  for (const { what, shown, now } of changes) say(`  ${what}: ${JSON.stringify(shown)} → ${JSON.stringify(now)}`)
}
