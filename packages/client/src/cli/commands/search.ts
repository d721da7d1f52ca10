import type { Client } from '../../create-client.ts'
import type { Search, SearchRequest } from '../../generated/api-types.ts'
import { type Command, expandSimulateFlag, parseCommand, parseNumberOption, parseSimulation } from '../command.ts'
import { CommandError, EXIT, UsageError } from '../exit-codes.ts'
import { saveLastSearch } from '../last-search.ts'
import { formatMoney, printInfo, printJson, printTable, stripControls } from '../output.ts'
import { showSearchProgress } from '../search-progress.ts'
import { openClient } from '../session.ts'

export const searchCommand: Command = {
  summary: 'search a place, with one live line per vendor',
  usage: `Usage: serai-api search PLACE [options]

PLACE is the start of a name (the best match is used) or the id of a place.

  --check-in DATE   YYYY-MM-DD; default: in 30 days
  --nights N        default 2
  --adults N        per room; default 2
  --children AGES   ages per room, such as 7,11
  --rooms N         default 1
  --currency CODE   such as EUR
  --country CODE    country of the guest, such as FR
  --vendors IDS     only these, such as hotelbeds,liteapi
  --timeout SECONDS time limit for vendors, 1 to 15; default 5
  --limit N         rows to print; default 15
  --simulate[=HOW]  use the built-in vendor; nothing leaves the service`,
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
    const { values, positionals } = parseCommand(
      expandSimulateFlag(args),
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
    const simulate = parseSimulation(values.simulate)
    const client = openClient(simulate)
    const destination = await findPlaceId(client, positionals.join(' '))
    const found = await runSearch(client, buildSearchRequest(destination, values), values.json === true)
    saveLastSearch(found, simulate)
    if (values.json) printJson({ data: found })
    else printResults(found, parseNumberOption('limit', values.limit, 15))
    return found.availability.length > 0 ? EXIT.done : EXIT.notFound
  },
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function findPlaceId(client: Client, text: string): Promise<string> {
  if (UUID.test(text)) return text
  const { data, meta } = await client.locations.search({ starts_with: text, limit: 1 })
  const [best] = data
  if (best === undefined)
    throw new CommandError(meta.errors[0]?.message ?? `No place starts with ${text}.`, EXIT.notFound)
  printInfo(stripControls(best.name))
  return best.id
}

const DAY_MS = 86_400_000
const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

type Values = Readonly<Record<string, string | boolean | undefined>>

function buildSearchRequest(destination: string, values: Values): SearchRequest {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  const [currency, country, vendors] = [text('currency'), text('country'), text('vendors')]
  const checkIn = text('check-in') ?? addDays(new Date().toISOString().slice(0, 10), 30)
  if (!/^\d{4}-\d\d-\d\d$/.test(checkIn) || Number.isNaN(Date.parse(checkIn)))
    throw new UsageError('--check-in must be a date in the form YYYY-MM-DD.')
  const children = text('children')
  if (children !== undefined && !/^\d{1,2}(,\d{1,2})*$/.test(children))
    throw new UsageError('--children must be ages such as 7,11.')
  const ages = children?.split(',').map(Number)
  const room = { adults: parseNumberOption('adults', text('adults'), 2), ...(ages && { children_ages: ages }) }
  return {
    destination_id: destination,
    check_in: checkIn,
    check_out: addDays(checkIn, parseNumberOption('nights', text('nights'), 2)),
    occupancies: Array.from({ length: parseNumberOption('rooms', text('rooms'), 1) }, () => room),
    ...(text('timeout') && { timeout_ms: 1000 * parseNumberOption('timeout', text('timeout'), 5) }),
    ...(currency && { currency: currency.toUpperCase() }),
    ...(country && { country_code: country.toUpperCase() }),
    ...(vendors && { vendors: vendors.split(',') }),
  }
}

async function runSearch(client: Client, request: SearchRequest, isJson: boolean): Promise<Search> {
  using progress = showSearchProgress(isJson)
  for await (const event of client.search.stream(request)) {
    if (event.type === 'vendor') progress.vendor(event.vendor)
    else if (event.type === 'properties') progress.found(event.found.size)
    else return event.search
  }
  throw new CommandError('The search ended without a result.', EXIT.failed)
}

function printResults(found: Search, limit: number): void {
  const { availability, check_in, check_out, nights, simulated } = found
  const stay = `${check_in} to ${check_out}, ${nights} ${nights === 1 ? 'night' : 'nights'}`
  printInfo(`${stay}: ${availability.length} properties${simulated ? ' (simulated)' : ''}`)
  for (const warning of found.warnings) printInfo(stripControls(warning))
  if (availability.length === 0) return
  printTable(availability.slice(0, limit), [
    { title: '#', cell: (_, index) => index + 1, alignRight: true },
    { title: 'PROPERTY', cell: ({ name }) => name, maxLength: 44 },
    { title: 'STARS', cell: ({ star_rating: stars }) => stars || '', alignRight: true },
    { title: 'KM', cell: ({ distance_km: km }) => km.toFixed(1), alignRight: true },
    { title: 'VENDOR', cell: ({ vendor_id: vendor }) => vendor },
    {
      title: 'FREE CANCELLATION',
      cell: ({ free_cancellation: free, currency }) => (free ? formatMoney(free.total_price, currency) : ''),
      alignRight: true,
    },
    { title: 'TOTAL', cell: ({ total_price, currency }) => formatMoney(total_price, currency), alignRight: true },
  ])
  printInfo('\nRun serai-api show 1 to see the rooms of the first property.')
}
