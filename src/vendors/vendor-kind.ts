import { createSecureContext } from 'node:tls'
import type { Static, TObject } from 'typebox'
import fileRates from '../../data/exchange-rates.json' with { type: 'json' }
import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { VendorId } from '../domain/offer.ts'
import type { CallContext } from '../lib/async/call-context.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { CallLimits } from './call-limits.ts'
import type { Vendor, VendorEnvironment } from './contract.ts'
import {
  type Environment,
  isConfigured,
  listVariables,
  readVendorSettings,
  type Variable,
  VendorSettingsError,
  valueAt,
} from './settings.ts'
import type { Send } from './transport/call.ts'
import { type OnRecord, withCallRecords } from './transport/call-record.ts'
import { createHttpClient, type HttpClient, type HttpClientOptions, type Tls } from './transport/http-client.ts'
import type { CreateLimiter } from './transport/quota.ts'
import { type OnExchange, withExchangeReports } from './transport/report-exchanges.ts'
import { VendorError } from './vendor-error.ts'
import { asRecord } from './wire/read.ts'

export type ConnectDeps = {
  readonly clock: Clock
  readonly onCall?: HttpClientOptions['onCall']
  /** Threads for decoding long responses; the caller closes them. */
  readonly threads?: HttpClientOptions['threads']
  /** Counts calls for the limits of each account; without it, only concurrent calls are limited. */
  readonly createLimiter?: CreateLimiter | undefined
  /** Receives the calls that are kept for operators, unredacted. */
  readonly onRecord?: OnRecord | undefined
  /** Receives every request and response, including secrets and guest data; for recording. */
  readonly onExchange?: OnExchange | undefined
  readonly shapes?: HttpClientOptions['shapes']
  /** Vendors that receive the trace context. */
  readonly traceVendors?: readonly VendorId[]
  /** Converts amounts in currencies that were not requested; the rates of the release by default. */
  readonly rates?: () => ExchangeRates
}

type Connection = {
  readonly vendor: Vendor
  readonly client: HttpClient
  readonly environment: VendorEnvironment
}

/** Configuration and connection of one kind of vendor. */
export type VendorKind = {
  readonly id: VendorId
  readonly variables: readonly Variable[]
  isConfigured(env: Environment): boolean
  /** Throws VendorSettingsError with the names of the variables if the settings are incomplete. */
  connect(env: Environment, deps: ConnectDeps): Promise<Connection>
  origins(env: Environment): string[]
}

/** `rates` converts amounts in currencies that were not requested. */
export type AdapterDeps = { readonly send: Send; readonly clock: Clock; readonly rates: () => ExchangeRates }

type Adapter<S extends TObject> = {
  create(config: Static<S>, deps: AdapterDeps): Vendor
  origins(config: Static<S>): Readonly<Record<string, string>>
  /** Reads the client certificate, if the account has one. */
  tls?(config: Static<S>): Promise<Tls | undefined>
  /** Documented limits of an account, for those that are not configured. Stand-ins have none. */
  documentedLimits?(config: Static<S>): CallLimits
  readonly holdOff?: HttpClientOptions['holdOff']
  readonly isRefusal?: HttpClientOptions['isRefusal']
  /** Returns true if the settings select the vendor's test environment. */
  isTest?(config: Static<S>): boolean
  /** Describes a conflict between settings that are each valid; undefined if there is none. */
  validateConfig?(config: Static<S>): string | undefined
  /** Settings that must be set together. */
  readonly together?: readonly (keyof Static<S> & string)[]
}

export function vendorKind<S extends TObject>(id: VendorId, schema: S, adapter: Adapter<S>): VendorKind {
  const variables = listVariables(id, schema)
  return {
    id,
    variables,
    isConfigured: (env) => isConfigured(id, env),
    origins: (env) => Object.values(adapter.origins(readVendorSettings(id, schema, env))),
    async connect(env, deps) {
      const { clock, onCall, onRecord, onExchange, threads, createLimiter, rates = () => fileRates } = deps
      const config = readVendorSettings(id, schema, env)
      const origins = adapter.origins(config)
      const problem = adapter.validateConfig?.(config)
      if (problem !== undefined) throw new VendorSettingsError(problem)
      requireTogether(variables, config, adapter.together ?? [])
      requireOrigins(variables, config, origins)
      const tls = await readTls(variables, config, () => adapter.tls?.(config))
      const { holdOff, isRefusal } = adapter
      const environment = detectEnvironment(origins, adapter.isTest?.(config) === true)
      const documented = environment === 'sandbox' ? {} : adapter.documentedLimits?.(config)
      const limits = { ...documented, ...asRecord(asRecord(config)?.limits) }
      const client = createHttpClient({
        ...{ vendor: id, origins, clock, tls, holdOff, isRefusal, onCall, threads, limits, createLimiter },
        shapes: deps.shapes,
        sendTrace: deps.traceVendors?.includes(id),
      })
      const recordingSend = onRecord === undefined ? client.send : withCallRecords(client.send, id, clock, onRecord)
      const send = onExchange === undefined ? recordingSend : withExchangeReports(recordingSend, id, onExchange)
      const vendor = withReports(adapter.create(config, { send, clock, rates }), onCall)
      return { vendor, client, environment }
    },
  }
}

/** Counts price checks and bookings that fail because of our settings: their calls may have succeeded. */
function withReports(vendor: Vendor, onCall: ConnectDeps['onCall']): Vendor {
  const watch = async <T>(
    operation: 'price_check' | 'book',
    { requestId }: CallContext,
    work: Promise<T>,
  ): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (error instanceof VendorError && error.fault === 'misconfigured')
        onCall?.({
          vendor: vendor.id,
          operation,
          class: operation,
          requestId,
          status: undefined,
          fault: error.fault,
          ms: 0,
        })
      throw error
    }
  }
  return {
    ...vendor,
    priceCheck: (ref, context) => watch('price_check', context, vendor.priceCheck(ref, context)),
    book: (order, context) => watch('book', context, vendor.book(order, context)),
  }
}

const LOOPBACK = /^(localhost|127\.[0-9.]+|\[::1\])$/

/** Environments that are not known to be a test are treated as live. */
function detectEnvironment(origins: Readonly<Record<string, string>>, isTest: boolean): VendorEnvironment {
  const hosts = Object.values(origins).map((origin) => new URL(origin).hostname)
  if (hosts.every((host) => LOOPBACK.test(host))) return 'sandbox'
  return isTest ? 'test' : 'live'
}

function requireTogether(variables: readonly Variable[], config: object, together: readonly string[]): void {
  const set = together.filter((key) => key in config)
  if (set.length === 0 || set.length === together.length) return
  const findName = (key: string) => variables.find(({ pointer }) => pointer === `/${key}`)?.name ?? key
  throw new VendorSettingsError(
    `Set ${together.map(findName).join(' and ')} together: only ${set.map(findName)} is set.`,
  )
}

/** An origin is a scheme and a host. A path in it would be ignored silently. */
function requireOrigins(variables: readonly Variable[], config: object, origins: Readonly<Record<string, string>>) {
  for (const [key, origin] of Object.entries(origins)) {
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    if (url !== undefined && /^https?:$/.test(url.protocol) && url.origin === origin.replace(/\/$/, '')) continue
    const name = findVariableName(variables, config, origin) ?? `The origin "${key}"`
    throw new VendorSettingsError(`${name} must be a scheme and a host, such as https://api.example.com.`)
  }
}

/** Reports an unreadable certificate or a wrong key at start, not at the first booking. */
async function readTls(
  variables: readonly Variable[],
  config: object,
  read: () => Promise<Tls | undefined> | undefined,
): Promise<Tls | undefined> {
  try {
    const tls = await read()
    if (tls !== undefined) createSecureContext(tls)
    return tls
  } catch (error) {
    const { code = '', path }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error))
    const name = path === undefined ? undefined : findVariableName(variables, config, path)
    if (name !== undefined) throw new VendorSettingsError(`${name}: ${path} cannot be read (${code}).`)
    const names = variables.filter(({ pointer }) => /certificate/i.test(pointer)).map((variable) => variable.name)
    throw new VendorSettingsError(`The client certificate cannot be used (${code}): see ${names.join(', ')}.`)
  }
}

const findVariableName = (variables: readonly Variable[], config: object, value: unknown) =>
  variables.find(({ pointer }) => valueAt(config, pointer) === value)?.name
