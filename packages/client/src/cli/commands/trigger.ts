import type { Client } from '../../create-client.ts'
import { WEBHOOK_EVENTS } from '../../generated/operations.ts'
import type { Simulation } from '../../methods.ts'
import { randomId } from '../../random-id.ts'
import { type Command, parseCommand } from '../command.ts'
import { CommandError, EXIT, UsageError } from '../exit-codes.ts'
import { printJson } from '../output.ts'
import { openClient } from '../session.ts'

const TEST_EVENT = 'webhook.test'
type EventName = (typeof WEBHOOK_EVENTS)[number]

/** Simulated bookings take no payment. */
type TriggeredEvent = Exclude<EventName, `booking.payment_${string}`>
const TRIGGERED = WEBHOOK_EVENTS.filter((event) => !event.startsWith('booking.payment_'))

export const triggerCommand: Command = {
  summary: 'trigger any webhook event, in simulation',
  usage: `Usage: serai-api trigger EVENT

Makes a simulated booking and triggers the event. Webhooks and serai-api listen receive it like a real one.
${TEST_EVENT} is sent to every webhook of the account.

  EVENT  ${[...TRIGGERED, TEST_EVENT].join('\n         ')}`,
  options: [...TRIGGERED, TEST_EVENT],
  async run(args) {
    const { values, positionals } = parseCommand(args, {}, { min: 1, max: 1 })
    const event = positionals[0] ?? ''
    if (event === TEST_EVENT) return sendTests(values.json === true)
    const scenario = Object.hasOwn(SCENARIOS, event) ? SCENARIOS[event as TriggeredEvent] : undefined
    if (scenario === undefined) throw new UsageError(`Unknown event ${event}.`)
    const client = openClient()
    const booking_id = await bookSimulated(client, scenario.simulate)
    await scenario.after?.(client, booking_id)
    const booking = await client.booking.show({ booking_id })
    const types = (booking.events ?? []).map(({ type }) => type)
    if (!types.includes(event)) throw new CommandError(`The booking did not reach ${event}.`, EXIT.failed)
    if (values.json) printJson(booking)
    else console.log(`${event}  ${booking_id}`)
    return EXIT.done
  },
}

type Scenario = {
  readonly simulate: Simulation
  /** Advances the booking to the event. */
  readonly after?: (client: Client, booking_id: string) => Promise<unknown>
}

/** The vendor's later changes, such as the property's confirmation number, are read when the booking's time advances. */
const advanceClock = ({ test }: Client, booking_id: string) => test.clock({ advance_hours: 1, booking_id })

const SCENARIOS: Readonly<Record<TriggeredEvent, Scenario>> = {
  'booking.confirmed': { simulate: 'success' },
  'booking.rejected': { simulate: 'vendor_refuses' },
  'booking.in_doubt': { simulate: 'vendor_error' },
  'booking.needs_review': { simulate: 'other_hotel', after: advanceClock },
  'booking.cancelled': {
    simulate: 'success',
    after: ({ booking }, booking_id) => booking.cancel({ booking_id }),
  },
  'booking.discrepancy': { simulate: 'other_hotel', after: advanceClock },
  'booking.confirmation_number': { simulate: 'success', after: advanceClock },
}

/** In simulation any well-formed body is booked; a new body makes a new booking. */
async function bookSimulated({ booking }: Client, simulate: Simulation): Promise<string> {
  const order = { offer: randomId('offer'), guests: [{ given_name: 'Ada', family_name: 'Lovelace' }] }
  try {
    const created = await booking.create({ ...order, client_reference: 'serai-api trigger' }, { simulate })
    return created.booking_id
  } catch (error) {
    // A rejected booking is reported as a problem with its id.
    const { booking_id } = Object(Object(error).problem)
    if (typeof booking_id === 'string') return booking_id
    throw error
  }
}

async function sendTests(isJson: boolean) {
  const { webhooks } = openClient()
  const sent = []
  for await (const { id, url, status } of webhooks.list.all()) {
    if (status === 'disabled') continue
    sent.push(await webhooks.test({ id }))
    if (!isJson) console.log(`${TEST_EVENT}  ${id}  ${url}`)
  }
  if (sent.length === 0) throw new CommandError('The account has no webhooks.', EXIT.notFound)
  if (isJson) printJson(sent)
  return EXIT.done
}
