import type { Booking } from '../../shapes.ts'
import { type Command, numberOf, read } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { money, paint, plain, printJson, printTable, say } from '../output.ts'
import { openClient } from '../session.ts'

export const bookings: Command = {
  summary: 'list your bookings, or show one',
  usage: `Usage: serai-api bookings [--status STATUS] [--limit N] [--all]
       serai-api bookings BOOKING_ID [--wait SECONDS]

  --status STATUS  only these, such as confirmed, in_doubt, cancelled
  --limit N        20 when absent, newest first
  --all            all of them
  --wait SECONDS   wait until the outcome of the booking is known`,
  options: ['--status', '--limit', '--all', '--wait'],
  async run(args) {
    const text = { type: 'string' } as const
    const options = { status: text, limit: text, all: { type: 'boolean' }, wait: text } as const
    const { values, positionals } = read(args, options, { min: 0, max: 1 })
    const [id] = positionals
    if (id !== undefined) return showOne(id, numberOf('wait', values.wait, 0), values.json === true)
    const limit = values.all ? Number.POSITIVE_INFINITY : numberOf('limit', values.limit, 20)
    const found = await collect(limit, values.status)
    if (values.json) printJson(found)
    else if (found.length === 0) say('No bookings.')
    else
      printTable(found, [
        { title: 'BOOKING', of: ({ booking_id }) => booking_id },
        { title: 'STATUS', of: ({ status, simulated }) => (simulated ? `${status} (simulated)` : status) },
        { title: 'CHECK-IN', of: ({ check_in }) => check_in },
        { title: 'NIGHTS', of: ({ nights }) => nights, right: true },
        { title: 'PROPERTY', of: ({ property }) => property.name, max: 36 },
        { title: 'TOTAL', of: ({ total_price, currency }) => money(total_price, currency), right: true },
      ])
    return EXIT.done
  },
}

async function collect(limit: number, status: string | undefined): Promise<Booking[]> {
  const found: Booking[] = []
  if (limit === 0) return found
  const list = openClient().booking.list.all({
    first: Math.min(limit, 100),
    order_by: ['created_at'],
    order_directions: ['desc'],
    ...(status === undefined ? {} : { filters: [`status:==<${status}`] }),
  })
  for await (const booking of list) {
    found.push(booking)
    if (found.length >= limit) break
  }
  return found
}

async function showOne(booking_id: string, waitSeconds: number, isJson: boolean) {
  const booking = await openClient().booking.waitForOutcome({ booking_id, forMs: waitSeconds * 1000 })
  if (isJson) printJson(booking)
  else printBooking(booking)
  return EXIT.done
}

function printBooking(booking: Booking): void {
  const { property, room, guests, events = [] } = booking
  console.log(`${paint('bold', booking.booking_id)}  ${booking.status}${booking.simulated ? '  (simulated)' : ''}`)
  console.log(`${plain(property.name)}, ${plain(property.address)}`)
  console.log(`${plain(room.name)}, ${room.board}`)
  console.log(`${booking.check_in} to ${booking.check_out}, ${money(booking.total_price, booking.currency)}`)
  console.log(`Guests     ${guests.map((one) => plain(`${one.given_name} ${one.family_name}`)).join(', ')}`)
  console.log(`Reference  ${booking.reference}, at ${booking.vendor_id} ${booking.vendor_reference ?? 'not known yet'}`)
  if (booking.client_reference !== null) console.log(`Yours      ${plain(booking.client_reference)}`)
  for (const { code, until } of booking.discrepancies)
    if (until === null) console.log(paint('yellow', `Differs    ${code}`))
  console.log()
  printTable(events, [
    { title: 'AT', of: ({ at }) => at },
    { title: 'EVENT', of: ({ type }) => type },
    { title: 'BY', of: ({ actor }) => actor?.kind },
    { title: 'REASON', of: ({ reason }) => reason },
  ])
}
