import { createSecureContext } from 'node:tls'
import type { Static, TObject } from 'typebox'
import type { VendorId } from '../domain/offer.ts'
import type { Clock } from '../lib/clock.ts'
import type { Send } from './call.ts'
import type { Vendor } from './contract.ts'
import { createHttpClient, type HttpClient, type HttpClientOptions } from './http-client.ts'
import {
  type Environment,
  isConfigured,
  readSettings,
  type Variable,
  VendorSettingsError,
  valueAt,
  variablesOf,
} from './settings.ts'

export type ConnectDeps = { readonly clock: Clock; readonly onCall?: NonNullable<HttpClientOptions['onCall']> }

/** A vendor that can be called, and the client its calls leave through. */
export type Connection = { readonly vendor: Vendor; readonly client: HttpClient }

/** A kind of vendor: how an operator turns it on, and how it is joined to the world. */
export type VendorKind = {
  readonly id: VendorId
  readonly variables: readonly Variable[]
  isConfigured(env: Environment): boolean
  /** Throws VendorSettingsError, naming the variables, when the settings are not whole. */
  connect(env: Environment, deps: ConnectDeps): Promise<Connection>
}

type Tls = NonNullable<HttpClientOptions['tls']>

/** What an adapter brings along beside its config schema. */
type Adapter<S extends TObject> = {
  create(config: Static<S>, deps: { readonly send: Send; readonly clock: Clock }): Vendor
  origins(config: Static<S>): Readonly<Record<string, string>>
  /** Reads the client certificate, where the account has one. */
  tls?(config: Static<S>): Promise<Tls | undefined>
  readonly holdOff?: NonNullable<HttpClientOptions['holdOff']>
  readonly isRefusal?: NonNullable<HttpClientOptions['isRefusal']>
  /** Settings that mean nothing without each other. */
  readonly together?: readonly (keyof Static<S> & string)[]
}

export function vendorKind<S extends TObject>(id: VendorId, schema: S, adapter: Adapter<S>): VendorKind {
  const variables = variablesOf(id, schema)
  return {
    id,
    variables,
    isConfigured: (env) => isConfigured(id, env),
    async connect(env, { clock, onCall }) {
      const config = readSettings(id, schema, env)
      const origins = adapter.origins(config)
      refuseHalves(variables, config, adapter.together ?? [])
      refuseOrigins(id, variables, config, origins)
      const tls = await readTls(variables, config, () => adapter.tls?.(config))
      const client = createHttpClient({
        vendor: id,
        origins,
        clock,
        ...(tls === undefined ? {} : { tls }),
        ...(adapter.holdOff === undefined ? {} : { holdOff: adapter.holdOff }),
        ...(adapter.isRefusal === undefined ? {} : { isRefusal: adapter.isRefusal }),
        ...(onCall === undefined ? {} : { onCall }),
      })
      return { vendor: adapter.create(config, { send: client.send, clock }), client }
    },
  }
}

function refuseHalves(variables: readonly Variable[], config: unknown, together: readonly string[]): void {
  const set = together.filter((key) => valueAt(config, [key]) !== undefined)
  if (set.length === 0 || set.length === together.length) return
  const nameOf = (key: string) => variables.find(({ path }) => path[0] === key)?.name ?? key
  throw new VendorSettingsError(`${together.map(nameOf).join(' and ')} go together; ${set.map(nameOf)} stands alone.`)
}

/** An origin is a scheme and a host: a path in it would silently be dropped, and a wrong scheme never connects. */
function refuseOrigins(
  id: VendorId,
  variables: readonly Variable[],
  config: unknown,
  origins: Readonly<Record<string, string>>,
): void {
  for (const origin of Object.values(origins)) {
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    if (url !== undefined && /^https?:$/.test(url.protocol) && url.origin === origin.replace(/\/$/, '')) continue
    const name = nameOfValue(variables, config, origin) ?? `An origin of ${id}`
    throw new VendorSettingsError(`${name} must be a scheme and a host, such as https://api.example.com.`)
  }
}

/** A certificate that cannot be read or does not fit its key is told of now, not at the first booking. */
async function readTls(
  variables: readonly Variable[],
  config: unknown,
  read: () => Promise<Tls | undefined> | undefined,
): Promise<Tls | undefined> {
  try {
    const tls = await read()
    if (tls !== undefined) createSecureContext(tls)
    return tls
  } catch (error) {
    const { code = '', path } = error as NodeJS.ErrnoException
    const name = path === undefined ? undefined : nameOfValue(variables, config, path)
    if (name !== undefined) throw new VendorSettingsError(`${name}: ${path} cannot be read (${code}).`)
    const names = variables.filter(({ path: [key = ''] }) => /certificate/i.test(key)).map((variable) => variable.name)
    throw new VendorSettingsError(`The client certificate cannot be used (${code}): see ${names.join(', ')}.`)
  }
}

const nameOfValue = (variables: readonly Variable[], config: unknown, value: string) =>
  variables.find(({ path }) => valueAt(config, path) === value)?.name
