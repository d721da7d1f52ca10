import type { Client } from '../../create-client.ts'
import type { Booking, BookRequest } from '../../generated/api-types.ts'
import { leavesEffectUnknown } from '../../policy.ts'
import { getRoomCharge } from '../../room-charge.ts'
import { SeraiError } from '../../serai-error.ts'
import { confirm } from '../ask.ts'
import { type CheckedRoom, checkRoom, findShownRoom, printTerms } from '../checked-room.ts'
import { type Command, expandSimulateFlag, parseCommand, parseNumberOption, parseSimulation } from '../command.ts'
import { CommandError, EXIT, type ExitCode, isInDoubt, UsageError } from '../exit-codes.ts'
import { readLastSearch, removeOrder, resolvePosition, saveOrder } from '../last-search.ts'
import { formatMoney, paint, printInfo, printJson } from '../output.ts'
import { openClient } from '../session.ts'

export const bookCommand: Command = {
  summary: 'book a room of the last search',
  usage: `Usage: serai-api book NUMBER[.ROOM] --guest "GIVEN FAMILY" [options]

Checks and shows the price and terms, asks for confirmation, and books. NUMBER is a row of the last search, ROOM a room
of serai-api show (default: the cheapest). Rooms found with --simulate are booked in simulation, without confirmation.
Until the next search, repeating the command sends the same order again, so the room is never booked twice.

  --guest NAME           lead guest; repeat for each room
  --email EMAIL          e-mail of the first guest
  --phone PHONE          phone of the first guest
  --request TEXT         special requests for the property
  --reference TEXT       your own reference
  --accept-changes       book even if the price or terms have changed since they were shown
  --idempotency-key KEY  default: derived from the order
  --wait SECONDS         how long to wait for the outcome; default 30
  --yes                  do not ask for confirmation
  --simulate[=HOW]       simulate an outcome, such as price_changed, sold_out, vendor_timeout`,
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
    const { values, positionals } = parseCommand(
      expandSimulateFlag(args),
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
    const guests = parseGuests(values.guest ?? [], contact)
    const waitSeconds = parseNumberOption('wait', values.wait, 30)
    const last = readLastSearch()
    const client = openClient(parseSimulation(values.simulate) ?? last.simulate ?? undefined)
    const { request, reference, simulate, 'idempotency-key': idempotencyKey } = values
    const orderKey = JSON.stringify([
      resolvePosition(last, positionals[0] ?? ''),
      guests,
      request,
      reference,
      simulate,
      idempotencyKey,
    ])
    const sent = last.orders[orderKey]
    if (sent !== undefined && !values.json)
      printInfo('This order was sent before. Sending the same order again; nothing new is booked.')
    const order = sent ?? {
      ...(await checkAndConfirm(client, positionals[0] ?? '', values)),
      guests,
      ...toRequestFields(values),
    }
    saveOrder(orderKey, order)
    const created = await client.booking.create(order, { idempotencyKey }).catch((error: unknown) => {
      const failure = sent === undefined ? error : markEffectUnknown(error)
      if (failure instanceof SeraiError && !isInDoubt(failure)) removeOrder(orderKey)
      throw failure
    })
    const booking = await waitForBooking(client, created, waitSeconds)
    const code = toExitCode(booking)
    if (code === EXIT.refused) removeOrder(orderKey)
    if (values.json) printJson({ data: booking })
    else printOutcome(booking)
    return code
  },
}

/** A stored order may already be booked, so a failure that does not settle it has an unknown effect. */
function markEffectUnknown(error: unknown): unknown {
  if (!(error instanceof SeraiError)) return error
  const isSettled = error.problem?.booking_id !== undefined
  if (!leavesEffectUnknown(error.status, isSettled)) return error
  return new SeraiError(error.message, { ...error, effect: 'unknown', cause: error.cause })
}

type BookFlags = {
  readonly request?: string | undefined
  readonly reference?: string | undefined
  readonly 'accept-changes'?: boolean | undefined
  readonly yes?: boolean | undefined
  readonly json?: boolean | undefined
}

const toRequestFields = ({ request, reference }: BookFlags) => ({
  ...(request && { special_requests: request }),
  ...(reference && { client_reference: reference }),
})

/** Checks the room, shows its terms and asks for confirmation. */
async function checkAndConfirm(client: Client, position: string, flags: BookFlags): Promise<BookRequest> {
  const { simulate: searchedAs, isSimulated } = readLastSearch()
  // --simulate applies to the booking, not to reading the rooms.
  const room = await findShownRoom(openClient(searchedAs ?? undefined), position)
  const checked = await checkRoom(client, room)
  if (!flags.json) printTerms(checked)
  await confirmTerms(checked, { ...flags, isSimulated })
  return { ...checked.room.booking_info, terms_digest: checked.terms_digest }
}

/** Falls back to the booking's own response if the booking cannot be read, such as with a book-only key. */
async function waitForBooking(client: Client, created: Booking, waitSeconds: number): Promise<Booking> {
  const { booking_id } = created
  return client.booking.waitForOutcome({ booking_id, forMs: waitSeconds * 1000 }).catch((error: unknown) => {
    if (!(error instanceof SeraiError)) throw error
    if (toExitCode(created) === EXIT.undecided) printInfo(error.message)
    return created
  })
}

async function confirmTerms(
  { status, room }: CheckedRoom,
  flags: BookFlags & { readonly isSimulated: boolean },
): Promise<void> {
  if (status !== 'matched' && !flags['accept-changes'])
    throw new CommandError('Nothing was booked. Add --accept-changes to book on the new terms.', EXIT.refused)
  const { total, currency } = getRoomCharge(room)
  await confirm(`Book it for ${formatMoney(total, currency)}?`, flags.yes || flags.isSimulated)
}

function parseGuests(names: readonly string[], contact: object) {
  if (names.length === 0) throw new UsageError('--guest is missing. Give the lead guest of each room.')
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
  if (toExitCode(booking) === EXIT.undecided)
    printInfo(
      `The vendor has not reported the outcome yet. Do not book again; run serai-api bookings ${booking.booking_id} to check.`,
    )
}

function toExitCode({ status }: Booking): ExitCode {
  if (status === 'confirmed') return EXIT.done
  return status === 'rejected' || status === 'cancelled' ? EXIT.refused : EXIT.undecided
}
