import { readConfig } from '../../config.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { type Clock, monotonicMs, systemClock } from '../../lib/time/clock.ts'
import { addDays, dateIn } from '../../lib/time/plain-date.ts'
import { createRateLimiter } from '../../store/rate-limiters.ts'
import type { QuotaUsage } from '../../vendors/capabilities.ts'
import type { Probe, RoomsQuery, Vendor } from '../../vendors/contract.ts'
import { VENDOR_KINDS } from '../../vendors/registry.ts'
import { type Environment, VendorSettingsError } from '../../vendors/settings.ts'
import { VendorError } from '../../vendors/vendor-error.ts'
import type { VendorKind } from '../../vendors/vendor-kind.ts'
import { type Command, print } from '../command.ts'
import { type ParsedCommand, readVerb } from '../read-verb.ts'
import { withVendors } from '../with-app.ts'

type Deps = {
  readonly env: Environment
  readonly clock: Clock
  readonly signal?: AbortSignal
  /** The registry's vendors unless a test passes others. */
  readonly kinds?: readonly VendorKind[]
}

const USAGE = `serai vendors list    lists the vendors and their settings
serai vendors check   checks each configured vendor: credentials, clock, certificate, a test search and price check`

export const vendorsCommand: Command = {
  usage: USAGE,
  async run(args) {
    const { work } = parseVendorsCommand(args)
    return withVendors(readConfig(), (env) => work({ env, clock: systemClock }))
  },
}

export function parseVendorsCommand(args: string[]): ParsedCommand<Deps> {
  const { verb, words } = readVerb(args, { list: '', check: '' }, {})
  return { verb, words, work: verb === 'list' ? list : check }
}

async function list({ env, kinds = VENDOR_KINDS }: Deps): Promise<number> {
  const width = Math.max(...kinds.flatMap(({ variables }) => variables.map(({ name }) => name.length)))
  for (const kind of kinds) {
    const isOn = kind.isConfigured(env)
    console.log(`${isOn ? '✓' : '·'} ${kind.id.padEnd(16)} ${isOn ? 'configured' : 'not configured'}`)
    for (const { name, required, defaultValue: initial, secret } of kind.variables) {
      const value = env[name]?.trim() ?? ''
      const shown = value === '' ? absent(required, initial) : secret ? 'set' : value
      console.log(`    ${name.padEnd(width)}  ${shown}`)
    }
  }
  return 0
}

const absent = (required: boolean, initial: unknown) =>
  required ? '(required)' : initial === undefined ? '(optional)' : `(${String(initial)})`

/** Prints failed checks to standard output too: they are results of this command. */
async function check(deps: Deps): Promise<number> {
  const kinds = (deps.kinds ?? VENDOR_KINDS).filter((kind) => kind.isConfigured(deps.env))
  if (kinds.length === 0) return print('No vendor is configured. "serai vendors list" lists the variables to set.', 1)
  let failed = 0
  for (const kind of kinds) {
    console.log(kind.id)
    const probes = await probeVendor(kind, deps)
    const width = Math.max(...probes.map(({ name }) => name.length))
    for (const { name, ok, detail } of probes) console.log(`  ${ok ? '✓' : '✗'} ${name.padEnd(width)}  ${detail}`)
    failed += probes.filter(({ ok }) => !ok).length
  }
  console.log(failed === 0 ? 'All checks passed.' : `${failed} ${failed === 1 ? 'check' : 'checks'} failed.`)
  return failed === 0 ? 0 : 1
}

const describeQuota = ({ kind, windowMs, amount, used }: QuotaUsage): Probe => ({
  name: 'limit',
  ok: true,
  detail: `${amount} ${kind} calls in ${windowMs / 1000} s; this check used ${used}`,
})

const CHECK_TIMEOUT_MS = 30_000

async function probeVendor(kind: VendorKind, deps: Deps): Promise<readonly Probe[]> {
  try {
    const { vendor, client } = await kind.connect(deps.env, { clock: deps.clock, createLimiter: createRateLimiter })
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(CHECK_TIMEOUT_MS), ...(deps.signal ? [deps.signal] : [])])
      const context = { signal, requestId: `vendors-check-${kind.id}` }
      const probes = await reportFailure('probe', () => vendor.probe(context))
      // If the credentials are refused, a search would be refused too.
      if (probes.some(({ ok }) => !ok)) return probes
      const searched = await reportFailure('test search', () => searchOnce(vendor, deps.clock, context))
      return [...probes, ...searched, ...(await client.readQuotas()).map(describeQuota)]
    } finally {
      await client.close()
    }
  } catch (error) {
    if (!(error instanceof VendorSettingsError)) throw error
    return error.message.split('\n').map((detail) => ({ name: 'settings', ok: false, detail }))
  }
}

/** Turns a vendor's failure into a failed probe. Any other error is a bug and is thrown. */
async function reportFailure(name: string, work: () => Promise<readonly Probe[]>): Promise<readonly Probe[]> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    return [{ name, ok: false, detail: error.message }]
  }
}

const PLACE = { name: 'Paris', center: { lat: 48.8566, lon: 2.3522 }, radiusKm: 3, timezone: 'Europe/Paris' }
const PROPERTIES = 20
const DAYS_AHEAD = 30

async function searchOnce(vendor: Vendor, clock: Clock, context: CallContext): Promise<readonly Probe[]> {
  const started = monotonicMs()
  const ids: string[] = []
  for await (const { properties } of vendor.content({ kind: 'area', circle: PLACE, limit: PROPERTIES }, context)) {
    ids.push(...properties.map(({ vendorPropertyId }) => vendorPropertyId))
    if (ids.length >= PROPERTIES) break
  }
  if (ids.length === 0) return [{ name: 'test area', ok: false, detail: `no property around ${PLACE.name}` }]
  const area = { name: 'test area', ok: true, detail: `${ids.length} properties around ${PLACE.name}` }
  const checkIn = addDays(dateIn('UTC', clock.now()), DAYS_AHEAD)
  const stay = { checkIn, checkOut: addDays(checkIn, 1), occupancies: [{ adults: 2, childrenAges: [] }] }
  const market = { currency: 'EUR', language: 'en-GB', countryCode: 'FR' }
  const { offers } = await vendor.availability(
    { vendorPropertyIds: ids.slice(0, vendor.capabilities.propertiesPerCallMax), stay, market },
    context,
  )
  const ms = Math.round(monotonicMs() - started)
  const detail = `${offers.length} have a room for two on ${checkIn} (${ms} ms)`
  const [offer] = offers
  const found = { name: 'test search', ok: offer !== undefined, detail }
  if (offer === undefined) return [area, found]
  const stayed = { stay, market, timezone: PLACE.timezone }
  const checked = await reportFailure('test price check', () =>
    checkOnce(vendor, offer.vendorPropertyId, stayed, context),
  )
  return [area, found, ...checked]
}

/** A price check books nothing, but shows if the vendor accepts our payment. */
async function checkOnce(
  vendor: Vendor,
  vendorPropertyId: string,
  query: Omit<RoomsQuery, 'vendorPropertyId'>,
  context: CallContext,
): Promise<readonly Probe[]> {
  const [room] = await vendor.rooms({ vendorPropertyId, ...query }, context)
  if (room === undefined) return []
  const { status } = await vendor.priceCheck(room.ref, context)
  return [{ name: 'test price check', ok: true, detail: status === 'available' ? 'price confirmed' : 'sold out' }]
}
