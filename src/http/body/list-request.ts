import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import { errorMeta, type ListMeta, type ListPage } from '../../lists/meta.ts'
import { parseListQuery } from '../../lists/parse-list-query.ts'
import type { ListParams, ListPlan } from '../../lists/plan.ts'
import { parseQueryString } from '../../lists/query-string.ts'
import type { Charge } from '../../lists/work.ts'
import { toFieldErrors } from './field-errors.ts'
import { pageLinks } from './page-links.ts'
import { listUnusedParameters } from './unused-parameters.ts'

/** Key of the reason why a query is malformed: Fastify's query parser cannot refuse a request. */
const UNREADABLE = Symbol('why the query cannot be read')

/** Parses every query in the notation of the lists. */
export function parseQuery(text: string): Record<string | symbol, unknown> {
  const parsed = parseQueryString(text)
  return parsed.ok ? parsed.params : { [UNREADABLE]: parsed.message }
}

export const refuseUnreadableQuery: onRequestHookHandler = ({ query }, _reply, done) => {
  const reason: unknown = Object(query)[UNREADABLE]
  if (reason !== undefined) throw new AppError('malformed_request', String(reason))
  done()
}

/** About two milliseconds of work, like a unit of the rate limit elsewhere. */
const TESTS_PER_UNIT = 20_000

/** Charges for expensive filters; the operation's fixed cost covers cheap ones. */
export const createCharge =
  (request: FastifyRequest): Charge =>
  async (tests) => {
    const units = Math.floor(tests / TESTS_PER_UNIT)
    if (units > 0) await request.charge?.(units)
  }

/** List parameters are not in the route's schema; `parseListQuery` validates them. */
export const readListParams = (request: FastifyRequest): ListParams => Object(request.query)

/**
 * Responds with the list that the route's `config` defines, or with `422` in the same envelope if a parameter is wrong. Routes
 * with their own parameters set `attachValidation`, so that their errors are reported there too.
 */
export async function sendList<T, Shown>(
  request: FastifyRequest,
  reply: FastifyReply,
  options: {
    readonly cursors: CursorCodec
    /** Owner of the records, such as an account or webhook. Cursors are only valid for the same one. */
    readonly owner?: readonly string[]
    run(plan: ListPlan, charge: Charge, params: ListParams): Promise<ListPage<T>>
    present(record: T): Shown
  },
): Promise<FastifyReply | ListPage<Shown>> {
  const { cursors, owner = [], run, present } = options
  const { list: definition, operation } = request.routeOptions.config
  if (definition === undefined) throw new Error(`route ${request.routeOptions.url} does not declare a list`)
  const params = readListParams(request)
  const own = toFieldErrors(request.validationError?.validation ?? [], 'query')
  const parsed = parseListQuery(definition, params, { cursors, scope: [operation, ...owner].join(' ') })
  if (parsed.ok && own.length === 0) {
    const page = await run(parsed.plan, createCharge(request), params)
    addPageLinks(request, reply, parsed.plan, page.meta)
    return { ...page, data: page.data.map((record) => present(record)), meta: withWarnings(page.meta, request) }
  }
  const meta = parsed.ok ? errorMeta(definition, [], params) : errorMeta(definition, parsed.issues, parsed.params)
  return reply.code(422).send({ data: [], meta: { ...meta, errors: [...own, ...meta.errors] } })
}

/** Names parameters that have no effect here. */
export function withWarnings<Meta extends object>(meta: Meta, request: FastifyRequest): Meta & { warnings?: string[] } {
  const warnings = listUnusedParameters(request)
  return warnings.length === 0 ? meta : { ...meta, warnings }
}

/** `path` of the list, if it is not the one that was called. */
export function addPageLinks(
  { url }: FastifyRequest,
  reply: FastifyReply,
  plan: ListPlan,
  meta: ListMeta,
  path?: string,
): void {
  const links = pageLinks(url, plan, meta, path)
  if (links !== undefined) reply.header('link', links)
}
