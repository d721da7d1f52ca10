import type { Client } from '../../create-client.ts'
import type { PropertyDetail, Room } from '../../shapes.ts'
import { type Command, read } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { lastSearch, pointAt, rememberRooms } from '../last-search.ts'
import { money, paint, plain, printJson, printTable, say } from '../output.ts'
import { openClient } from '../session.ts'

export const show: Command = {
  summary: 'show a property of the last search with its rooms',
  usage: `Usage: serai-api show NUMBER|PROPERTY_ID

NUMBER is the row of the last search. Rooms are numbered: NUMBER.2 is the second room, for check and book.`,
  options: [],
  async run(args) {
    const { values, positionals } = read(args, {}, { min: 1, max: 1 })
    const last = lastSearch()
    const { propertyId } = pointAt(last, positionals[0] ?? '')
    const detail = await readDetail(openClient(last.simulate ?? undefined), last.searchId, propertyId)
    rememberRooms(last, propertyId, detail.available_rooms)
    if (values.json) printJson(detail)
    else printDetail(detail, propertyId, last.properties.indexOf(propertyId) + 1)
    return detail.available_rooms.length > 0 ? EXIT.done : EXIT.notFound
  },
}

export const readDetail = (client: Client, searchId: string, propertyId: string): Promise<PropertyDetail> =>
  client.search.detail({ search_id: searchId, property_id: propertyId })

/** `row` is 0 for a property that is not in the last search: only its first room can be booked, by the property's id. */
function printDetail(detail: PropertyDetail, propertyId: string, row: number): void {
  console.log(paint('bold', plain(detail.overview.name)))
  if (detail.available_rooms.length === 0) {
    say('No room is left.')
    return
  }
  const number = row === 0 ? '' : `${row}.`
  printTable(detail.available_rooms, [
    { title: '#', of: (_, index) => `${number}${index + 1}`, right: true },
    { title: 'ROOM', of: ({ name }) => name, max: 44 },
    { title: 'BOARD', of: ({ board }) => board },
    { title: 'CANCELLATION', of: cancellationOf },
    { title: 'VENDOR', of: ({ vendor_id: vendor }) => vendor },
    { title: 'TAXES, FEES', of: ({ taxes_fees, currency }) => some(taxes_fees, currency), right: true },
    { title: 'AT PROPERTY', of: ({ due_at_property, currency }) => some(due_at_property, currency), right: true },
    { title: 'TOTAL', of: ({ total_inclusive, currency }) => money(total_inclusive, currency), right: true },
  ])
  say(`\nserai-api book ${row === 0 ? plain(propertyId) : `${row}.1`} --guest "GIVEN FAMILY" books the first room.`)
}

/** Both are parts of the total. */
const some = (amount: number, currency: string): string => (amount > 0 ? money(amount, currency) : '-')

export function cancellationOf({ cancel_policy: { cancelation, expires } }: Pick<Room, 'cancel_policy'>): string {
  if (cancelation === 'none') return 'not refundable'
  return cancelation === 'free' ? `free until ${expires.slice(0, 16)}` : 'with a fee'
}
