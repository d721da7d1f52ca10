import type { Booking, BookingList } from '../../generated/api-types.ts'
import { type Command, parseCommand, parseNumberOption } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { formatMoney, paint, printInfo, printJson, printTable, stripControls } from '../output.ts'
import { openClient } from '../session.ts'

export const bookingsCommand: Command = {
  summary: 'list your bookings, or show one',
  usage: `Usage: serai-api bookings [--status STATUS] [--limit N] [--all]
       serai-api bookings BOOKING_ID [--wait SECONDS]

  --status STATUS  only bookings with this status, such as confirmed, in_doubt, cancelled
  --limit N        number of bookings, newest first; default 20
  --all            list all bookings; with --json, one document for each page of 100
  --wait SECONDS   wait until the outcome of the booking is known`,
  options: ['--status', '--limit', '--all', '--wait'],
  async run(args) {
    const text = { type: 'string' } as const
    const options = { status: text, limit: text, all: { type: 'boolean' }, wait: text } as const
    const { values, positionals } = parseCommand(args, options, { min: 0, max: 1 })
    const [id] = positionals
    if (id !== undefined) return showBooking(id, parseNumberOption('wait', values.wait, 0), values.json === true)
    const limit = values.all ? Number.POSITIVE_INFINITY : parseNumberOption('limit', values.limit, 20)
    const found: Booking[] = []
    for await (const page of readPages(limit, values.status)) {
      if (values.json) printJson(page)
      found.push(...page.data)
    }
    if (values.json) return EXIT.done
    if (found.length === 0) printInfo('No bookings.')
    else
      printTable(found, [
        { title: 'BOOKING', cell: ({ booking_id }) => booking_id },
        { title: 'STATUS', cell: ({ status, simulated }) => (simulated ? `${status} (simulated)` : status) },
        { title: 'CHECK-IN', cell: ({ check_in }) => check_in },
        { title: 'NIGHTS', cell: ({ nights }) => nights, alignRight: true },
        { title: 'PROPERTY', cell: ({ property }) => property.name, maxLength: 36 },
        { title: 'TOTAL', cell: ({ total_price, currency }) => formatMoney(total_price, currency), alignRight: true },
      ])
    return EXIT.done
  },
}

const PAGE_MAX = 100

/** Pages of the list, newest bookings first. */
async function* readPages(limit: number, status: string | undefined) {
  const { booking } = openClient()
  let after: string | null = null
  for (let left = limit; left > 0; ) {
    const page: BookingList = await booking.list({
      first: Math.min(left, PAGE_MAX),
      ...(after !== null && { after }),
      order_by: ['created_at'],
      order_directions: ['desc'],
      ...(status !== undefined && { filters: [`status:==<${status}`] }),
    })
    yield page
    after = page.meta.end_cursor
    left = page.meta['has_next_page?'] ? left - page.data.length : 0
  }
}

async function showBooking(booking_id: string, waitSeconds: number, isJson: boolean) {
  const booking = await openClient().booking.waitForOutcome({ booking_id, forMs: waitSeconds * 1000 })
  if (isJson) printJson({ data: booking })
  else printBooking(booking)
  return EXIT.done
}

function printBooking(booking: Booking): void {
  const { property, room, guests, events = [] } = booking
  console.log(`${paint('bold', booking.booking_id)}  ${booking.status}${booking.simulated ? '  (simulated)' : ''}`)
  console.log(`${stripControls(property.name)}, ${stripControls(property.address)}`)
  console.log(`${stripControls(room.name)}, ${room.board}`)
  console.log(`${booking.check_in} to ${booking.check_out}, ${formatMoney(booking.total_price, booking.currency)}`)
  console.log(
    `Guests     ${guests.map((guest) => stripControls(`${guest.given_name} ${guest.family_name}`)).join(', ')}`,
  )
  console.log(`Reference  ${booking.reference}, at ${booking.vendor_id} ${booking.vendor_reference ?? 'not known yet'}`)
  if (booking.client_reference !== null) console.log(`Yours      ${stripControls(booking.client_reference)}`)
  for (const { code, until } of booking.discrepancies)
    if (until === null) console.log(paint('yellow', `Differs    ${code}`))
  console.log()
  printTable(events, [
    { title: 'AT', cell: ({ at }) => at },
    { title: 'EVENT', cell: ({ type }) => type },
    { title: 'BY', cell: ({ actor }) => actor?.kind },
    { title: 'REASON', cell: ({ reason }) => reason },
  ])
}
