import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import { AppError } from '../domain/app-error.ts'
import { presentRule, presentTrial } from '../http/present/selling.ts'
import { readRules, readTrial } from '../http/routes/read-selling.ts'
import { RulesRequest, TryRequest } from '../http/schemas/selling.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { addDays, dateIn } from '../lib/plain-date.ts'
import type { ManageRules } from '../selling/manage-rules.ts'
import { tryPrice } from '../selling/try-price.ts'
import { auditVerbs } from './audited.ts'
import { checkBody } from './check-body.ts'
import { type Command, WrongArgument } from './command.ts'
import { plain } from './format-booking.ts'
import { withApp } from './with-app.ts'

export type SellingCommandDeps = {
  readonly rules: ManageRules
  readonly clock: Clock
  /** Who gives the commands. */
  readonly operator: string
  readFile(path: string): string
  out(line: string): void
}

const USAGE = `serai selling show                        the rules as they are now, and who changed them when
serai selling set FILE                    stores the rules of a JSON file: { "rules": [ … ] }
serai selling try --vendor ID --net AMOUNT --currency CODE
              [--account ID] [--property ID] [--stars N] [--country CODE] [--location ID]
              [--check-in DAY] [--nights N] [--rooms N] [--asked CODE]
                                          which rule matches such an offer, and the sum; --asked is the currency in
                                          which the client asks
serai selling see-net EMAIL on|off        whether an account sees net prices

docs/selling.md describes the rules.`

const CHANGING = ['set', 'see-net']

export const selling: Command = {
  usage: USAGE,
  run: (args) =>
    withApp((app) =>
      auditVerbs(app.operator.audit, 'selling', CHANGING, args, () =>
        sellingCommand(args, {
          rules: app.operator.rules,
          clock: systemClock,
          operator: userInfo().username,
          readFile,
          out: console.log,
        }),
      ),
    ),
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new WrongArgument(`${path} cannot be read (${Object(error).code}).`)
  }
}

const OPTIONS = {
  vendor: { type: 'string' },
  net: { type: 'string' },
  currency: { type: 'string' },
  asked: { type: 'string' },
  account: { type: 'string' },
  property: { type: 'string' },
  stars: { type: 'string' },
  country: { type: 'string' },
  location: { type: 'string' },
  'check-in': { type: 'string' },
  nights: { type: 'string' },
  rooms: { type: 'string' },
} as const
type Values = { readonly [Name in keyof typeof OPTIONS]?: string | undefined }

/** Returns the exit code: 0 done, 1 not possible, 2 wrong arguments. */
export async function sellingCommand(args: string[], deps: SellingCommandDeps): Promise<number> {
  const read = parseArgs({ args, allowPositionals: true, options: OPTIONS })
  const [verb, name, flag, ...more] = read.positionals
  if (more.length > 0) return say(deps, USAGE, 2)
  if (verb === 'show' && name === undefined) return show(deps)
  if (verb === 'set' && name !== undefined && flag === undefined) return explained(deps, () => set(deps, name))
  if (verb === 'try' && name === undefined) return explained(deps, () => trial(deps, read.values))
  if (verb === 'see-net' && name !== undefined && (flag === 'on' || flag === 'off'))
    return seeNet(deps, name, flag === 'on')
  return say(deps, USAGE, 2)
}

/** What is wrong with a file or an argument, line by line. */
async function explained(deps: SellingCommandDeps, work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    for (const { message } of error.errors) deps.out(plain(message))
    if (error.errors.length === 0) deps.out(plain(error.message))
    return 2
  }
}

async function show(deps: SellingCommandDeps): Promise<number> {
  const latest = await deps.rules.latest()
  const { exchangePercent } = await deps.rules.pricing()
  if (exchangePercent > 0) deps.out(`Margin for exchange rates: ${exchangePercent} %`)
  if (latest === undefined) return say(deps, 'There are no rules: everything is sold at its net price.', 0)
  for (const { version, changedAt, by } of await deps.rules.history())
    deps.out(`version ${version}  ${new Date(changedAt).toISOString()}  by ${by.kind} ${plain(by.id)}`)
  return say(deps, JSON.stringify({ rules: latest.rules.map(presentRule) }, null, 2), 0)
}

async function set(deps: SellingCommandDeps, path: string): Promise<number> {
  const { rules } = checkBody(RulesRequest, jsonOf(deps.readFile(path), path))
  const { version } = await deps.rules.set(readRules(rules), { kind: 'operator', id: deps.operator })
  return say(
    deps,
    `Version ${version} with ${rules.length} rules is in force. What was offered before keeps its price.`,
    0,
  )
}

function jsonOf(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('malformed_request', `${path} is not JSON.`)
  }
}

async function trial(deps: SellingCommandDeps, values: Values): Promise<number> {
  const { vendor, net, currency } = values
  if (vendor === undefined || net === undefined || currency === undefined) return say(deps, USAGE, 2)
  const checkIn = values['check-in'] ?? addDays(dateIn('UTC', deps.clock.now()), 30)
  const nights = Number(values.nights ?? 1)
  const body = checkBody(TryRequest, {
    vendor_id: vendor,
    net: { amount: Number(net), currency },
    check_in: checkIn,
    check_out: Number.isInteger(nights) ? addDays(checkIn, nights) : '',
    ...(values.asked !== undefined && { currency: values.asked }),
    ...(values.account !== undefined && { account_id: values.account }),
    ...(values.property !== undefined && { property_id: values.property }),
    ...(values.stars !== undefined && { stars: Number(values.stars) }),
    ...(values.country !== undefined && { country_code: values.country }),
    ...(values.location !== undefined && { destination_id: values.location }),
    ...(values.rooms !== undefined && { rooms: Number(values.rooms) }),
  })
  const price = tryPrice(await deps.rules.pricing(), readTrial(body), deps.clock.now())
  if (price === undefined) return say(deps, 'There is no exchange rate for these currencies.', 1)
  const { rule, version, currency: sold, ...sum } = presentTrial(price)
  deps.out(rule === null ? 'No rule matches.' : `Rule ${rule.priority} of version ${version}: ${JSON.stringify(rule)}`)
  for (const [name, amount] of Object.entries(sum))
    if (amount !== 0 || name === 'net')
      deps.out(`${name.replace('_', ' ').padEnd(10)} ${String(amount).padStart(12)} ${sold}`)
  return 0
}

const seeNet = async (deps: SellingCommandDeps, email: string, may: boolean): Promise<number> =>
  (await deps.rules.setSeesNet(email, may))
    ? say(deps, `${plain(email)} ${may ? 'sees' : 'does not see'} net prices.`, 0)
    : say(deps, `There is no account ${plain(email)}.`, 1)

function say({ out }: SellingCommandDeps, text: string, exitCode: number): number {
  out(text)
  return exitCode
}
