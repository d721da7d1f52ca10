import type { RouteShorthandOptions } from 'fastify'
import type { TSchema } from 'typebox'
import type { Access } from '../domain/access.ts'
import type { ErrorCode } from '../domain/errors.ts'
import type { ListDefinition } from '../lists/definition.ts'
import { problems } from './problem.ts'

/** Tags of the API description. */
export const TAGS = {
  Accounts: 'Tokens, API keys and sessions.',
  Locations: 'Places that can be searched.',
  Search: 'Availability and prices, and the properties with their rooms.',
  Booking: 'Booking, reading and cancelling.',
  Payments: 'Card payments, if the service takes them.',
  Webhooks: 'Events of bookings that change, and their delivery.',
  Vendors: 'Calls that vendors make to us.',
  Operation: 'For operators, and this document.',
}

/** By the prefix of the operation's name. */
const TAG_BY_PREFIX = {
  accounts: 'Accounts',
  session: 'Accounts',
  locations: 'Locations',
  search: 'Search',
  booking: 'Booking',
  test: 'Booking',
  payments: 'Payments',
  webhooks: 'Webhooks',
  events: 'Webhooks',
  vendor: 'Vendors',
  operator: 'Operation',
  health: 'Operation',
  docs: 'Operation',
} as const satisfies Record<string, keyof typeof TAGS>

type OperationName = `${keyof typeof TAG_BY_PREFIX}.${string}`

type Inputs = {
  readonly params?: TSchema
  readonly querystring?: TSchema
  readonly headers?: TSchema
  readonly body?: TSchema
}

export type Safety = 'always' | 'preview'

/** `own`: the operation compares the tag before it renders. `response`: the tag is computed from the response. */
export type Tagging = 'own' | 'response'

/** `own`: the operation reads the key itself. `repeatable`: a repeat continues an unfinished change. */
export type Idempotency = 'own' | 'repeatable'

type Declaration = {
  readonly access: Access
  /** Units charged to the rate limit; 1 if absent. */
  readonly cost?: number
  readonly list?: ListDefinition
  readonly ordered?: ListDefinition
  /** Values of the parameter `view`; the first one is the default. */
  readonly views?: readonly string[]
  readonly internal?: boolean
  /** Changes nothing, although the method is not GET: always, or if the query has `preview=true`. */
  readonly safe?: Safety
  /** If absent, the response to an idempotency key is stored and repeated. */
  readonly idempotency?: Idempotency
  /** Responses have an `etag`; lists always have one. */
  readonly etag?: Tagging
  /** A change that accepts `if-match`. */
  readonly ifMatch?: true
  readonly summary: string
  readonly description?: string
  /** Successful responses by status. */
  readonly answers: Readonly<Record<number, object>>
  /** Error codes of this operation, in addition to those of the middleware. */
  readonly problems?: readonly ErrorCode[]
}

type RouteOptions = Pick<
  RouteShorthandOptions,
  'attachValidation' | 'bodyLimit' | 'compress' | 'decompress' | 'preValidation'
>

/** Declares an operation for the middleware and the API description. Logs, metrics and client methods use `name`. */
export function operation<const Schemas extends Inputs>(
  name: OperationName,
  declaration: Declaration & Schemas & RouteOptions,
) {
  const {
    access,
    cost,
    list,
    ordered,
    views,
    internal,
    safe,
    idempotency,
    etag,
    ifMatch,
    summary,
    description,
    answers,
    ...rest
  } = declaration
  const { problems: codes = [], params, querystring, headers, body, ...options } = rest
  const schema = {
    tags: [TAG_BY_PREFIX[name.split('.', 1)[0] as keyof typeof TAG_BY_PREFIX]],
    summary,
    ...defined({ description, params, querystring, headers, body }),
    response: { ...answers, ...problems(...codes) },
  }
  return {
    ...(options as RouteOptions),
    config: {
      operation: name,
      access,
      ...defined({ cost, list, ordered, views, internal, safe, idempotency, etag, ifMatch }),
    },
    schema: schema as typeof schema & Schemas,
  }
}

/** Fastify distinguishes an absent option from an undefined one. */
function defined<Options extends object>(
  options: Options,
): { [Key in keyof Options]?: Exclude<Options[Key], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never
}
