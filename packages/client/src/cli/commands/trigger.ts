import type { Client } from '../../create-client.ts'
import { WEBHOOK_EVENTS } from '../../generated/operations.ts'
import type { Simulation } from '../../methods.ts'
import { randomId } from '../../random-id.ts'
import { type Command, read } from '../command.ts'
import { CommandError, EXIT, UsageError } from '../exit-codes.ts'
import { printJson } from '../output.ts'
import { openClient } from '../session.ts'

const TEST = 'webhook.test'
type EventName = (typeof WEBHOOK_EVENTS)[number]

export const trigger: Command = {
  summary: 'make any webhook event happen, in simulation',
  usage: `Usage: serai-api trigger EVENT

Makes a simulated booking and brings it to the event. Webhooks and serai-api listen get it like a real one.
${TEST} is sent to every webhook of the account.

  EVENT  ${[...WEBHOOK_EVENTS, TEST].join('\n         ')}`,
  options: [...WEBHOOK_EVENTS, TEST],
  async run(args) {
    const { values, positionals } = read(args, {}, { min: 1, max: 1 })
    const event = positionals[0] ?? ''
    if (event === TEST) return sendTests(values.json === true)
    const scenario = Object.hasOwn(SCENARIOS, event) ? SCENARIOS[event as EventName] : undefined
    if (scenario === undefined) throw new UsageError(`There is no event ${event}.`)
    const client = openClient()
    const booking_id = await bookAs(client, scenario.simulate)
    await scenario.after?.(client, booking_id)
    const booking = await client.booking.show({ booking_id })
    const types = (booking.events ?? []).map(({ type }) => type)
    if (!types.includes(event)) throw new CommandError(`The service did not get as far as ${event}.`, EXIT.failed)
    if (values.json) printJson(booking)
    else console.log(`${event}  ${booking_id}`)
    return EXIT.done
  },
}

type Scenario = {
  readonly simulate: Simulation
  /** What brings the booking further. */
  readonly after?: (client: Client, booking_id: string) => Promise<unknown>
}

/** The vendor's later word, such as the property's own number, is read when the time of the simulated bookings has passed. */
const laterReading = ({ test }: Client) => test.clock({ advance_hours: 1 })

const SCENARIOS: Readonly<Record<EventName, Scenario>> = {
  'booking.confirmed': { simulate: 'success' },
  'booking.rejected': { simulate: 'vendor_refuses' },
  'booking.in_doubt': { simulate: 'vendor_error' },
  'booking.needs_review': { simulate: 'other_hotel', after: laterReading },
  'booking.cancelled': {
    simulate: 'success',
    after: ({ booking }, booking_id) => booking.cancel({ booking_id }),
  },
  'booking.discrepancy': { simulate: 'other_hotel', after: laterReading },
  'booking.confirmation_number': { simulate: 'success', after: laterReading },
}

/** In simulation any well-formed body is booked; a fresh one is a fresh booking. */
async function bookAs({ booking }: Client, simulate: Simulation): Promise<string> {
  const order = { offer: randomId('offer'), guests: [{ given_name: 'Ada', family_name: 'Lovelace' }] }
  try {
    const made = await booking.create({ ...order, client_reference: 'serai-api trigger' }, { simulate })
    return made.booking_id
  } catch (error) {
    // A refused booking is told as a problem that names it.
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
    if (!isJson) console.log(`${TEST}  ${id}  ${url}`)
  }
  if (sent.length === 0) throw new CommandError('The account has no webhook.', EXIT.notFound)
  if (isJson) printJson(sent)
  return EXIT.done
}
