import type { Client } from '../../create-client.ts'
import { leavesOpen } from '../../policy.ts'
import { chargeOf } from '../../room-charge.ts'
import { SeraiError } from '../../serai-error.ts'
import type { Booking, BookRequest } from '../../shapes.ts'
import { confirm } from '../ask.ts'
import { type Checked, checkRoom, printTerms, roomAt } from '../checked-room.ts'
import { type Command, numberOf, read, simulationOf, withSimulation } from '../command.ts'
import { CommandError, EXIT, type ExitCode, isInDoubt, UsageError } from '../exit-codes.ts'
import { forgetOrder, lastSearch, pointAt, rememberOrder } from '../last-search.ts'
import { money, paint, printJson, say } from '../output.ts'
import { openClient } from '../session.ts'

export const book: Command = {
  summary: 'book a room of the last search',
  usage: `Usage: serai-api book NUMBER[.ROOM] --guest "GIVEN FAMILY" [options]

Checks the price and terms, shows them, asks, and books exactly them. NUMBER is a row of the last search, ROOM a room
of serai-api show; the cheapest when absent. What was searched with --simulate is booked in simulation, without asking.
Until the next search, the same command again sends the same order again: it never books the room twice.

  --guest NAME           the lead guest; once per room
  --email EMAIL          of the first guest
  --phone PHONE          of the first guest
  --request TEXT         special requests to the property
  --reference TEXT       your own reference
  --accept-changes       book even if the price or terms have changed since they were shown
  --idempotency-key KEY  made from the order when absent
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
    const last = lastSearch()
    const client = openClient(simulationOf(values.simulate) ?? last.simulate ?? undefined)
    const { request, reference, simulate, 'idempotency-key': idempotencyKey } = values
    const name = JSON.stringify([
      pointAt(last, positionals[0] ?? ''),
      guests,
      request,
      reference,
      simulate,
      idempotencyKey,
    ])
    const sent = last.orders[name]
    if (sent !== undefined && !values.json)
      say('This was sent before: the same order is sent again, and nothing new is booked.')
    const order = sent ?? {
      ...(await checkAndAgree(client, positionals[0] ?? '', values)),
      guests,
      ...wishesOf(values),
    }
    rememberOrder(name, order)
    const made = await client.booking.create(order, { idempotencyKey }).catch((error: unknown) => {
      const failure = sent === undefined ? error : withEarlierDoubt(error)
      if (failure instanceof SeraiError && !isInDoubt(failure)) forgetOrder(name)
      throw failure
    })
    const booking = await outcomeOf(client, made, waitSeconds)
    const code = outcomeCode(booking)
    if (code === EXIT.refused) forgetOrder(name)
    if (values.json) printJson(booking)
    else printOutcome(booking)
    return code
  },
}

/** An order is kept only while its outcome is unknown, or known as a booking: a failure that does not settle it leaves it open. */
function withEarlierDoubt(error: unknown): unknown {
  if (!(error instanceof SeraiError)) return error
  const isSettled = error.problem?.booking_id !== undefined
  if (!leavesOpen(error.status, isSettled)) return error
  return new SeraiError(error.message, { ...error, effect: 'unknown', cause: error.cause })
}

type Given = {
  readonly request?: string | undefined
  readonly reference?: string | undefined
  readonly 'accept-changes'?: boolean | undefined
  readonly yes?: boolean | undefined
  readonly json?: boolean | undefined
}

const wishesOf = ({ request, reference }: Given) => ({
  ...(request && { special_requests: request }),
  ...(reference && { client_reference: reference }),
})

/** The room as it was checked, shown and agreed to. */
async function checkAndAgree(client: Client, point: string, given: Given): Promise<BookRequest> {
  const { simulate: searchedAs, isSimulated } = lastSearch()
  // What is to be simulated is the booking, not the reading of the rooms before it.
  const room = await roomAt(openClient(searchedAs ?? undefined), point)
  const checked = await checkRoom(client, room)
  if (!given.json) printTerms(checked)
  await agree(checked, { ...given, isSimulated })
  return { ...checked.room.booking_info, terms_digest: checked.terms_digest }
}

/** As it stands now. Where it cannot be read, such as with a key that may only book, what the booking itself has answered. */
async function outcomeOf(client: Client, made: Booking, waitSeconds: number): Promise<Booking> {
  const { booking_id } = made
  return client.booking.waitForOutcome({ booking_id, forMs: waitSeconds * 1000 }).catch((error: unknown) => {
    if (!(error instanceof SeraiError)) throw error
    if (outcomeCode(made) === EXIT.undecided) say(error.message)
    return made
  })
}

async function agree({ status, room }: Checked, given: Given & { readonly isSimulated: boolean }): Promise<void> {
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

function printOutcome(booking: Booking): void {
  const style = booking.status === 'confirmed' ? 'green' : 'yellow'
  console.log(`\n${paint(style, booking.status)}  ${booking.booking_id}${booking.simulated ? '  (simulated)' : ''}`)
  if (booking.vendor_reference !== null) console.log(`Reference at ${booking.vendor_id}: ${booking.vendor_reference}`)
  if (outcomeCode(booking) === EXIT.undecided)
    say(
      `The vendor has not told the outcome yet; do not book again. serai-api bookings ${booking.booking_id} tells it.`,
    )
}

/** Of a booking that should be confirmed. */
function outcomeCode({ status }: Booking): ExitCode {
  if (status === 'confirmed') return EXIT.done
  return status === 'rejected' || status === 'cancelled' ? EXIT.refused : EXIT.undecided
}
