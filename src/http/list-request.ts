import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type FieldError } from '../domain/app-error.ts'
import type { CursorCodec } from '../lists/cursor.ts'
import type { ListDefinition } from '../lists/definition.ts'
import { errorMeta, type ListPage } from '../lists/meta.ts'
import { type ListParams, parseListQuery } from '../lists/parse-list-query.ts'
import type { ListPlan } from '../lists/plan.ts'
import { parseQueryString } from '../lists/query-string.ts'

/**
 * For routes that say what is wrong themselves and present their answers field by field: their schemas document and are
 * held against the answers by tests, but nothing is compiled from them, which would take most of the time to start.
 */
export const documentedOnly = {
  validatorCompiler: () => () => true,
  serializerCompiler: () => (value: unknown) => JSON.stringify(value),
} as const

/** Query parameters in the lists' own notation; every route reads its query through this. */
export function queryOf(request: FastifyRequest): ListParams {
  const url = request.raw.url ?? ''
  const mark = url.indexOf('?')
  const parsed = parseQueryString(mark < 0 ? '' : url.slice(mark + 1))
  if (!parsed.ok) throw new AppError('malformed_request', parsed.message)
  return parsed.params
}

/** Parses, runs, and answers `422` in the list's own envelope when a parameter is wrong. */
export async function answerList<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  options: {
    readonly definition: ListDefinition
    readonly cursors: CursorCodec
    readonly scope: string
    /** Wrong parameters of the operation itself, beside the list's. */
    readonly check?: (params: ListParams) => FieldError[]
    run(plan: ListPlan, params: ListParams): Promise<ListPage<T>> | ListPage<T>
  },
): Promise<FastifyReply | ListPage<T>> {
  const params = queryOf(request)
  const own = options.check?.(params) ?? []
  const parsed = parseListQuery(options.definition, params, options)
  if (parsed.ok && own.length === 0) return options.run(parsed.plan, params)
  const meta = errorMeta(options.definition, parsed.ok ? NO_ERRORS : parsed.errors, parsed.ok ? params : parsed.params)
  const body = { data: [], meta: { ...meta, errors: [...own, ...meta.errors] } }
  return reply.code(422).send(body)
}

const NO_ERRORS = { params: new Map(), filters: undefined }
