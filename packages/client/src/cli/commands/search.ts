import type { Client } from '../../create-client.ts'
import type { Search, SearchRequest } from '../../shapes.ts'
import { type Command, numberOf, read, simulationOf, withSimulation } from '../command.ts'
import { CommandError, EXIT, UsageError } from '../exit-codes.ts'
import { rememberSearch } from '../last-search.ts'
import { money, plain, printJson, printTable, say } from '../output.ts'
import { openClient } from '../session.ts'
import { showProgress } from '../vendor-lines.ts'

export const search: Command = {
  summary: 'search a place, with one live line per vendor',
  usage: `Usage: serai-api search PLACE [options]

PLACE is the beginning of a name, of which the best match is taken, or the id of a place.

  --check-in DATE   YYYY-MM-DD; in 30 days when absent
  --nights N        2 when absent
  --adults N        per room; 2 when absent
  --children AGES   per room, such as 7,11
  --rooms N         1 when absent
  --currency CODE   such as EUR
  --country CODE    of the guest, such as FR
  --vendors IDS     only these, such as hotelbeds,liteapi
  --timeout SECONDS how long vendors may take, 1 to 15; 5 when absent
  --limit N         rows to print; 15 when absent
  --simulate[=HOW]  the built-in vendor answers; nothing leaves the service`,
  options: [
    '--check-in',
    '--nights',
    '--adults',
    '--children',
    '--rooms',
    '--currency',
    '--country',
    '--vendors',
    '--timeout',
    '--limit',
    '--simulate',
  ],
  async run(args) {
    const text = { type: 'string' } as const
    const { values, positionals } = read(
      withSimulation(args),
      {
        'check-in': text,
        nights: text,
        adults: text,
        children: text,
        rooms: text,
        currency: text,
        country: text,
        vendors: text,
        timeout: text,
        limit: text,
        simulate: text,
      },
      { min: 1, max: 20 },
    )
    const simulate = simulationOf(values.simulate)
    const client = openClient(simulate)
    const destination = await placeOf(client, positionals.join(' '))
    const found = await follow(client, requestOf(destination, values), values.json === true)
    rememberSearch(found, simulate)
    if (values.json) printJson(found)
    else printFound(found, numberOf('limit', values.limit, 15))
    return found.availability.length > 0 ? EXIT.done : EXIT.notFound
  },
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function placeOf(client: Client, text: string): Promise<string> {
  if (UUID.test(text)) return text
  const { data, meta } = await client.locations.search({ starts_with: text, limit: 1 })
  const [best] = data
  if (best === undefined)
    throw new CommandError(meta.errors[0]?.message ?? `No place begins with ${text}.`, EXIT.notFound)
  say(plain(best.name))
  return best.id
}

const DAY_MS = 86_400_000
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

type Values = Readonly<Record<string, string | boolean | undefined>>

function requestOf(destination: string, values: Values): SearchRequest {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  const [currency, country, vendors] = [text('currency'), text('country'), text('vendors')]
  const checkIn = text('check-in') ?? dayAfter(new Date().toISOString().slice(0, 10), 30)
  if (!/^\d{4}-\d\d-\d\d$/.test(checkIn) || Number.isNaN(Date.parse(checkIn)))
    throw new UsageError('--check-in must be a day as YYYY-MM-DD.')
  const children = text('children')
  if (children !== undefined && !/^\d{1,2}(,\d{1,2})*$/.test(children))
    throw new UsageError('--children must be ages such as 7,11.')
  const ages = children?.split(',').map(Number)
  const room = { adults: numberOf('adults', text('adults'), 2), ...(ages && { children_ages: ages }) }
  return {
    destination_id: destination,
    check_in: checkIn,
    check_out: dayAfter(checkIn, numberOf('nights', text('nights'), 2)),
    occupancies: Array.from({ length: numberOf('rooms', text('rooms'), 1) }, () => room),
    ...(text('timeout') && { timeout_ms: 1000 * numberOf('timeout', text('timeout'), 5) }),
    ...(currency && { currency: currency.toUpperCase() }),
    ...(country && { country_code: country.toUpperCase() }),
    ...(vendors && { vendors: vendors.split(',') }),
  }
}

async function follow(client: Client, request: SearchRequest, isJson: boolean): Promise<Search> {
  using progress = showProgress(isJson)
  for await (const event of client.search.stream(request)) {
    if (event.type === 'vendor') progress.vendor(event.vendor)
    else if (event.type === 'properties') progress.found(event.found.size)
    else return event.search
  }
  throw new CommandError('The search ended without a result.', EXIT.failed)
}

function printFound(found: Search, limit: number): void {
  const { availability, check_in, check_out, nights, simulated } = found
  const stay = `${check_in} to ${check_out}, ${nights} ${nights === 1 ? 'night' : 'nights'}`
  say(`${stay}: ${availability.length} properties${simulated ? ' (simulated)' : ''}`)
  for (const warning of found.warnings) say(plain(warning))
  if (availability.length === 0) return
  printTable(availability.slice(0, limit), [
    { title: '#', of: (_, index) => index + 1, right: true },
    { title: 'PROPERTY', of: ({ name }) => name, max: 44 },
    { title: 'STARS', of: ({ star_rating: stars }) => stars || '', right: true },
    { title: 'KM', of: ({ distance_km: km }) => km.toFixed(1), right: true },
    { title: 'VENDOR', of: ({ vendor_id: vendor }) => vendor },
    {
      title: 'FREE CANCELLATION',
      of: ({ free_cancellation: free, currency }) => (free ? money(free.total_price, currency) : ''),
      right: true,
    },
    { title: 'TOTAL', of: ({ total_price, currency }) => money(total_price, currency), right: true },
  ])
  say('\nserai-api show 1 shows the rooms of the first one.')
}
