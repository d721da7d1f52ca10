import { createSecureContext } from 'node:tls'
import type { Static, TObject } from 'typebox'
import exchangeRates from '../../data/exchange-rates.json' with { type: 'json' }
import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { VendorId } from '../domain/offer.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Vendor, VendorEnvironment } from './contract.ts'
import {
  type Environment,
  isConfigured,
  readSettings,
  type Variable,
  VendorSettingsError,
  valueAt,
  variablesOf,
} from './settings.ts'
import type { Send } from './transport/call.ts'
import { type OnRecord, withRecords } from './transport/call-record.ts'
import { createHttpClient, type HttpClient, type HttpClientOptions, type Tls } from './transport/http-client.ts'
import { type OnExchange, recorded } from './transport/recorded.ts'

export type ConnectDeps = {
  readonly clock: Clock
  readonly onCall?: HttpClientOptions['onCall']
  /** Threads for reading long answers; the caller who passes them also closes them. */
  readonly threads?: HttpClientOptions['threads']
  /** Told of calls that operators may want to look at, as they are. */
  readonly onRecord?: OnRecord | undefined
  /** Told of every request with its answer, secrets and guests included; for recording. */
  readonly onExchange?: OnExchange | undefined
}

/** A vendor that can be called, and the client its calls leave through. */
type Connection = {
  readonly vendor: Vendor
  readonly client: HttpClient
  readonly environment: VendorEnvironment
}

/** A kind of vendor: how an operator configures it, and how it is connected. */
export type VendorKind = {
  readonly id: VendorId
  readonly variables: readonly Variable[]
  isConfigured(env: Environment): boolean
  /** Throws VendorSettingsError, naming the variables, when the settings are not whole. */
  connect(env: Environment, deps: ConnectDeps): Promise<Connection>
  /** Where calls go with these settings. */
  origins(env: Environment): string[]
}

/** What an adapter works with. `rates` are for amounts that a vendor gives in a currency nobody asked for. */
export type AdapterDeps = { readonly send: Send; readonly clock: Clock; readonly rates: () => ExchangeRates }

/** What an adapter brings along beside its config schema. */
type Adapter<S extends TObject> = {
  create(config: Static<S>, deps: AdapterDeps): Vendor
  origins(config: Static<S>): Readonly<Record<string, string>>
  /** Reads the client certificate, where the account has one. */
  tls?(config: Static<S>): Promise<Tls | undefined>
  readonly holdOff?: HttpClientOptions['holdOff']
  readonly isRefusal?: HttpClientOptions['isRefusal']
  /** Whether the settings lead to the vendor's environment for trials, where it has one. */
  isTest?(config: Static<S>): boolean
  /** What is wrong with settings that are each right by themselves. */
  objectionTo?(config: Static<S>): string | undefined
  /** Settings that mean nothing without each other. */
  readonly together?: readonly (keyof Static<S> & string)[]
}

export function vendorKind<S extends TObject>(id: VendorId, schema: S, adapter: Adapter<S>): VendorKind {
  const variables = variablesOf(id, schema)
  return {
    id,
    variables,
    isConfigured: (env) => isConfigured(id, env),
    origins: (env) => Object.values(adapter.origins(readSettings(id, schema, env))),
    async connect(env, { clock, onCall, onRecord, onExchange, threads }) {
      const config = readSettings(id, schema, env)
      const origins = adapter.origins(config)
      const objection = adapter.objectionTo?.(config)
      if (objection !== undefined) throw new VendorSettingsError(objection)
      refuseHalves(variables, config, adapter.together ?? [])
      refuseOrigins(variables, config, origins)
      const tls = await readTls(variables, config, () => adapter.tls?.(config))
      const { holdOff, isRefusal } = adapter
      const client = createHttpClient({ vendor: id, origins, clock, tls, holdOff, isRefusal, onCall, threads })
      const told = onRecord === undefined ? client.send : withRecords(client.send, id, clock, onRecord)
      const send = onExchange === undefined ? told : recorded(told, id, onExchange)
      const vendor = adapter.create(config, { send, clock, rates: () => exchangeRates })
      return { vendor, client, environment: environmentOf(origins, adapter.isTest?.(config) === true) }
    },
  }
}

const LOOPBACK = /^(localhost|127\.[0-9.]+|\[::1\])$/

/** What is not known to be a trial counts as real. */
function environmentOf(origins: Readonly<Record<string, string>>, isTest: boolean): VendorEnvironment {
  const hosts = Object.values(origins).map((origin) => new URL(origin).hostname)
  if (hosts.every((host) => LOOPBACK.test(host))) return 'sandbox'
  return isTest ? 'test' : 'live'
}

function refuseHalves(variables: readonly Variable[], config: object, together: readonly string[]): void {
  const set = together.filter((key) => key in config)
  if (set.length === 0 || set.length === together.length) return
  const nameOf = (key: string) => variables.find(({ pointer }) => pointer === `/${key}`)?.name ?? key
  throw new VendorSettingsError(`${together.map(nameOf).join(' and ')} go together; ${set.map(nameOf)} stands alone.`)
}

/** An origin is a scheme and a host: a path in it would silently be dropped, and a wrong scheme never connects. */
function refuseOrigins(variables: readonly Variable[], config: object, origins: Readonly<Record<string, string>>) {
  for (const [key, origin] of Object.entries(origins)) {
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    if (url !== undefined && /^https?:$/.test(url.protocol) && url.origin === origin.replace(/\/$/, '')) continue
    const name = nameOfValue(variables, config, origin) ?? `The origin "${key}"`
    throw new VendorSettingsError(`${name} must be a scheme and a host, such as https://api.example.com.`)
  }
}

/** A certificate that cannot be read or does not fit its key is reported at start, not at the first booking. */
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
    const name = path === undefined ? undefined : nameOfValue(variables, config, path)
    if (name !== undefined) throw new VendorSettingsError(`${name}: ${path} cannot be read (${code}).`)
    const names = variables.filter(({ pointer }) => /certificate/i.test(pointer)).map((variable) => variable.name)
    throw new VendorSettingsError(`The client certificate cannot be used (${code}): see ${names.join(', ')}.`)
  }
}

const nameOfValue = (variables: readonly Variable[], config: object, value: unknown) =>
  variables.find(({ pointer }) => valueAt(config, pointer) === value)?.name
