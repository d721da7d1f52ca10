import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import { errorMeta, type ListPage } from '../../lists/meta.ts'
import { parseListQuery } from '../../lists/parse-list-query.ts'
import type { ListParams, ListPlan } from '../../lists/plan.ts'
import { parseQueryString } from '../../lists/query-string.ts'
import type { Charge } from '../../lists/work.ts'
import { fieldErrorsOf } from './field-errors.ts'

/** Where a query that cannot be read keeps the reason: a query parser has no way to refuse. */
const UNREADABLE = Symbol('why the query cannot be read')

/** Every query is read in the lists' own notation. */
export function parseQuery(text: string): Record<string | symbol, unknown> {
  const parsed = parseQueryString(text)
  return parsed.ok ? parsed.params : { [UNREADABLE]: parsed.message }
}

export const refuseUnreadableQuery: onRequestHookHandler = ({ query }, _reply, done) => {
  const why: unknown = Object(query)[UNREADABLE]
  if (why !== undefined) throw new AppError('malformed_request', String(why))
  done()
}

/** As much work as one unit of an allowance stands for elsewhere: about two milliseconds. */
const TESTS_PER_UNIT = 20_000

/** Charges for filtering by the work it is; what is little is in the operation's own cost. */
export const chargeFor =
  (request: FastifyRequest): Charge =>
  async (tests) => {
    const units = Math.floor(tests / TESTS_PER_UNIT)
    if (units > 0) await request.charge?.(units)
  }

/** List parameters are not in the route's schema: their rules are `parseListQuery`'s. */
export const queryOf = (request: FastifyRequest): ListParams => Object(request.query)

/**
 * Answers the list that the route's `config` defines; `422` in the list's own envelope where a parameter is wrong. Routes with
 * parameters of their own set `attachValidation`, so that what the schema finds wrong with those is told in the same envelope.
 */
export async function answerList<T, Shown>(
  request: FastifyRequest,
  reply: FastifyReply,
  options: {
    readonly cursors: CursorCodec
    /** Whose records they are: a cursor is good for no other account, and for no other webhook. */
    readonly of?: readonly string[]
    run(plan: ListPlan, charge: Charge, params: ListParams): Promise<ListPage<T>>
    present(record: T): Shown
  },
): Promise<FastifyReply | ListPage<Shown>> {
  const { cursors, of = [], run, present } = options
  const { list: definition, operation } = request.routeOptions.config
  if (definition === undefined) throw new Error(`route ${request.routeOptions.url} names no list`)
  const params = queryOf(request)
  const own = fieldErrorsOf(request.validationError?.validation ?? [], 'query')
  const parsed = parseListQuery(definition, params, { cursors, scope: [operation, ...of].join(' ') })
  if (parsed.ok && own.length === 0) {
    const page = await run(parsed.plan, chargeFor(request), params)
    return { ...page, data: page.data.map((record) => present(record)) }
  }
  const meta = parsed.ok ? errorMeta(definition, [], params) : errorMeta(definition, parsed.issues, parsed.params)
  return reply.code(422).send({ data: [], meta: { ...meta, errors: [...own, ...meta.errors] } })
}
