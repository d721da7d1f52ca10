import type { Client } from '../../create-client.ts'
import type { PropertyDetail, Room } from '../../generated/api-types.ts'
import { type Command, parseCommand } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { readLastSearch, resolvePosition, saveShownRooms } from '../last-search.ts'
import { formatMoney, paint, printInfo, printJson, printTable, stripControls } from '../output.ts'
import { openClient } from '../session.ts'

export const showCommand: Command = {
  summary: 'show a property of the last search with its rooms',
  usage: `Usage: serai-api show NUMBER|PROPERTY_ID

NUMBER is a row of the last search. Rooms are numbered for check and book: NUMBER.2 is the second room.`,
  options: [],
  async run(args) {
    const { values, positionals } = parseCommand(args, {}, { min: 1, max: 1 })
    const last = readLastSearch()
    const { propertyId } = resolvePosition(last, positionals[0] ?? '')
    const detail = await readDetail(openClient(last.simulate ?? undefined), last.searchId, propertyId)
    saveShownRooms(last, propertyId, detail.available_rooms)
    if (values.json) printJson({ accommodation: detail })
    else printDetail(detail, propertyId, last.properties.indexOf(propertyId) + 1)
    return detail.available_rooms.length > 0 ? EXIT.done : EXIT.notFound
  },
}

export const readDetail = (client: Client, searchId: string, propertyId: string): Promise<PropertyDetail> =>
  client.search.detail({ search_id: searchId, property_id: propertyId })

/** `row` is 0 for a property outside the last search; only its first room can be booked, by the property's id. */
function printDetail(detail: PropertyDetail, propertyId: string, row: number): void {
  console.log(paint('bold', stripControls(detail.overview.name)))
  if (detail.available_rooms.length === 0) {
    printInfo('No rooms left.')
    return
  }
  const number = row === 0 ? '' : `${row}.`
  printTable(detail.available_rooms, [
    { title: '#', cell: (_, index) => `${number}${index + 1}`, alignRight: true },
    { title: 'ROOM', cell: ({ name }) => name, maxLength: 44 },
    { title: 'BEDS', cell: ({ beds }) => beds.join(', '), maxLength: 30 },
    { title: 'BOARD', cell: ({ board }) => board },
    { title: 'CANCELLATION', cell: describeCancellation },
    { title: 'VENDOR', cell: ({ vendor_id: vendor }) => vendor },
    { title: 'TAXES, FEES', cell: ({ taxes_fees, currency }) => formatPart(taxes_fees, currency), alignRight: true },
    {
      title: 'AT PROPERTY',
      cell: ({ due_at_property, currency }) => formatPart(due_at_property, currency),
      alignRight: true,
    },
    {
      title: 'TOTAL',
      cell: ({ total_inclusive, currency }) => formatMoney(total_inclusive, currency),
      alignRight: true,
    },
  ])
  printInfo(
    `\nRun serai-api book ${row === 0 ? stripControls(propertyId) : `${row}.1`} --guest "GIVEN FAMILY" to book the first room.`,
  )
}

const formatPart = (amount: number, currency: string): string => (amount > 0 ? formatMoney(amount, currency) : '-')

export function describeCancellation({ cancel_policy: { cancelation, expires } }: Pick<Room, 'cancel_policy'>): string {
  if (cancelation === 'none') return 'not refundable'
  return cancelation === 'free' ? `free until ${expires.slice(0, 16)}` : 'with a fee'
}
