import { readFileSync } from 'node:fs'
import type { ManageAccounts } from '../../accounts/manage-accounts.ts'
import { checkBody } from '../../http/body/check-body.ts'
import { type Clock, systemClock } from '../../lib/time/clock.ts'
import { addDays, dateIn } from '../../lib/time/plain-date.ts'
import type { ManageRules } from '../../selling/manage-rules.ts'
import { presentRule, presentTrial } from '../../selling/present.ts'
import { readRules, readTrial } from '../../selling/routes/read-selling.ts'
import type { Rule } from '../../selling/rules.ts'
import { RulesRequest, TryRequest } from '../../selling/schemas.ts'
import { type Trial, tryPrice } from '../../selling/try-price.ts'
import { runOrder } from '../audited.ts'
import { type Command, plain, print, WrongArgument } from '../command.ts'
import { operatorName } from '../operator-name.ts'
import { type Order, readVerb } from '../read-verb.ts'
import { withApp } from '../with-app.ts'

type SellingCommandDeps = {
  readonly rules: ManageRules
  readonly accounts: Pick<ManageAccounts, 'setSeesNet'>
  readonly clock: Clock
  /** Who gives the commands. */
  readonly operator: string
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
  async run(args) {
    const order = readSelling(args)
    return withApp(({ operator: { audit, rules }, manageAccounts: accounts }) =>
      runOrder(audit, 'selling', CHANGING, order, {
        rules,
        accounts,
        clock: systemClock,
        operator: operatorName(),
      }),
    )
  },
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

const VERBS = {
  show: '',
  set: 'FILE',
  try: Object.keys(OPTIONS)
    .map((name) => `--${name}`)
    .join(' '),
  'see-net': 'EMAIL on|off',
}

export function readSelling(args: string[]): Order<SellingCommandDeps> {
  const { verb, words, values } = readVerb(args, VERBS, OPTIONS)
  const [name = '', flag = ''] = words
  const order = (work: Order<SellingCommandDeps>['work']) => ({ verb, words, work })
  switch (verb) {
    case 'show':
      return order(show)
    case 'set': {
      const rules = readRules(checkBody(RulesRequest, readJson(name)).rules)
      return order((deps) => set(deps, rules))
    }
    case 'try': {
      const offer = readOffer(values)
      return order((deps) => trial(deps, offer))
    }
    case 'see-net':
      if (flag !== 'on' && flag !== 'off') throw new WrongArgument(`see-net needs on or off, not ${plain(flag)}.`)
      return order((deps) => seeNet(deps, name, flag === 'on'))
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new WrongArgument(
      error instanceof SyntaxError ? `${path} is not JSON.` : `${path} cannot be read (${Object(error).code}).`,
    )
  }
}

async function show(deps: SellingCommandDeps): Promise<number> {
  const latest = await deps.rules.latest()
  const { exchangePercent } = await deps.rules.pricing()
  if (exchangePercent > 0) console.log(`Margin for exchange rates: ${exchangePercent} %`)
  if (latest === undefined)
    return print('There are no rules: everything is sold at net, or at the lowest price that the vendor allows.', 0)
  for (const { version, changedAt, by } of await deps.rules.history())
    console.log(`version ${version}  ${new Date(changedAt).toISOString()}  by ${by.kind} ${plain(by.id)}`)
  return print(JSON.stringify({ rules: latest.rules.map(presentRule) }, null, 2), 0)
}

async function set(deps: SellingCommandDeps, rules: readonly Rule[]): Promise<number> {
  const { version } = await deps.rules.set(rules, { kind: 'operator', id: deps.operator })
  return print(`Version ${version} with ${rules.length} rules is in force. What was offered before keeps its price.`, 0)
}

function readOffer(values: Values): Trial {
  const { vendor, net, currency } = values
  if (vendor === undefined || net === undefined || currency === undefined)
    throw new WrongArgument('try needs --vendor ID, --net AMOUNT and --currency CODE.')
  const checkIn = values['check-in'] ?? addDays(dateIn('UTC', systemClock.now()), 30)
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
  return readTrial(body)
}

async function trial(deps: SellingCommandDeps, offer: Trial): Promise<number> {
  const price = tryPrice(await deps.rules.pricing(), offer, deps.clock.now())
  if (price === undefined) return print('There is no exchange rate for these currencies.', 1)
  const { rule, version, currency: sold, ...sum } = presentTrial(price)
  console.log(
    rule === null ? 'No rule matches.' : `Rule ${rule.priority} of version ${version}: ${JSON.stringify(rule)}`,
  )
  for (const [name, amount] of Object.entries(sum))
    if (amount !== 0 || name === 'net')
      console.log(`${name.replace('_', ' ').padEnd(10)} ${String(amount).padStart(12)} ${sold}`)
  return 0
}

const seeNet = async (deps: SellingCommandDeps, email: string, may: boolean): Promise<number> =>
  (await deps.accounts.setSeesNet(email, may))
    ? print(`${plain(email)} ${may ? 'sees' : 'does not see'} net prices.`, 0)
    : print(`There is no account ${plain(email)}.`, 1)
