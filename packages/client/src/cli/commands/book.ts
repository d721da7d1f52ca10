import { chargeOf } from '../../room-charge.ts'
import type { Booking } from '../../shapes.ts'
import { confirm } from '../ask.ts'
import { type Checked, checkRoom, printTerms, roomAt } from '../checked-room.ts'
import { type Command, numberOf, read, simulationOf, withSimulation } from '../command.ts'
import { CommandError, EXIT, type ExitCode, UsageError } from '../exit-codes.ts'
import { lastSearch } from '../last-search.ts'
import { money, paint, printJson, say } from '../output.ts'
import { openClient } from '../session.ts'

export const book: Command = {
  summary: 'book a room of the last search',
  usage: `Usage: serai-api book NUMBER[.ROOM] --guest "GIVEN FAMILY" [options]

Checks the price and terms, shows them, asks, and books exactly them. NUMBER is a row of the last search, ROOM a room
of serai-api show; the cheapest when absent. What was searched with --simulate is booked in simulation, without asking.

  --guest NAME           the lead guest; once per room
  --email EMAIL          of the first guest
  --phone PHONE          of the first guest
  --request TEXT         special requests to the property
  --reference TEXT       your own reference
  --accept-changes       book even if the price or terms have changed since they were shown
  --idempotency-key KEY  made from the order when absent: running the command again never books twice
  --wait SECONDS         for an outcome that the vendor does not tell at once; 30 when absent
  --yes                  do not ask
  --simulate[=HOW]       simulate this outcome, such as price_changed, sold_out, vendor_timeout`,
  options: [
    '--guest',
    '--email',
    '--phone',
    '--request',
    '--reference',
    '--accept-changes',
    '--idempotency-key',
    '--wait',
    '--yes',
    '--simulate',
  ],
  async run(args) {
    const text = { type: 'string' } as const
    const { values, positionals } = read(
      withSimulation(args),
      {
        guest: { type: 'string', multiple: true },
        email: text,
        phone: text,
        request: text,
        reference: text,
        'accept-changes': { type: 'boolean' },
        'idempotency-key': text,
        wait: text,
        yes: { type: 'boolean' },
        simulate: text,
      },
      { min: 1, max: 1 },
    )
    const contact = { ...(values.email && { email: values.email }), ...(values.phone && { phone: values.phone }) }
    const guests = guestsOf(values.guest ?? [], contact)
    const waitSeconds = numberOf('wait', values.wait, 30)
    const { simulate: searchedAs, isSimulated } = lastSearch()
    // What is to be simulated here is the booking, not the reading of the rooms before it.
    const room = await roomAt(openClient(searchedAs ?? undefined), positionals[0] ?? '')
    const client = openClient(simulationOf(values.simulate) ?? searchedAs ?? undefined)
    const checked = await checkRoom(client, room)
    if (!values.json) printTerms(checked)
    await agree(checked, { ...values, isSimulated })
    const made = await client.booking.create(
      {
        ...checked.room.booking_info,
        terms_digest: checked.terms_digest,
        guests,
        ...(values.request && { special_requests: values.request }),
        ...(values.reference && { client_reference: values.reference }),
      },
      { idempotencyKey: values['idempotency-key'] },
    )
    const { booking_id } = made
    const booking = await client.booking.waitForOutcome({ booking_id, forMs: waitSeconds * 1000 })
    if (values.json) printJson(booking)
    else printOutcome(booking)
    return outcomeCode(booking)
  },
}

type Agreement = { readonly 'accept-changes'?: boolean; readonly yes?: boolean; readonly isSimulated: boolean }

async function agree({ status, room }: Checked, given: Agreement): Promise<void> {
  if (status !== 'matched' && !given['accept-changes'])
    throw new CommandError('Nothing was booked. Add --accept-changes to book it as it is now.', EXIT.refused)
  const { total, currency } = chargeOf(room)
  await confirm(`Book it for ${money(total, currency)}?`, given.yes || given.isSimulated)
}

function guestsOf(names: readonly string[], contact: object) {
  if (names.length === 0) throw new UsageError('--guest is missing: name the lead guest of each room.')
  return names.map((name, index) => {
    const [given_name, ...family] = name.trim().split(/\s+/)
    if (given_name === undefined || family.length === 0)
      throw new UsageError('--guest must be a given name and a family name, such as "Ana Costa".')
    return { given_name, family_name: family.join(' '), ...(index === 0 ? contact : {}) }
  })
}

export function printOutcome(booking: Booking): void {
  const style = booking.status === 'confirmed' ? 'green' : 'yellow'
  console.log(`\n${paint(style, booking.status)}  ${booking.booking_id}${booking.simulated ? '  (simulated)' : ''}`)
  if (booking.vendor_reference !== null) console.log(`Reference at ${booking.vendor_id}: ${booking.vendor_reference}`)
  if (outcomeCode(booking) === EXIT.undecided)
    say(
      `The vendor has not told the outcome yet; do not book again. serai-api bookings ${booking.booking_id} tells it.`,
    )
}

/** Of a booking that should be confirmed. */
export function outcomeCode({ status }: Booking): ExitCode {
  if (status === 'confirmed') return EXIT.done
  return status === 'rejected' || status === 'cancelled' ? EXIT.refused : EXIT.undecided
}
