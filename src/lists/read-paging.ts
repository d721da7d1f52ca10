import { PAGING_TYPES, type PagingType } from './definition.ts'
import type { ListIssue } from './issues.ts'
import { type CursorValues, type Paging, type Reading, sentValue } from './plan.ts'
import { castInteger, isBlank } from './values.ts'

/** Parameters for the size and the position of a page. */
const PARAMS = {
  first: ['first', 'after'],
  last: ['last', 'before'],
  offset: ['limit', 'offset'],
  page: ['page_size', 'page'],
} as const satisfies Record<PagingType, readonly [string, string]>

/** Paging type to apply. If several are mixed, reports the issues of each. */
export function readPagingType({ definition, params, issues }: Reading): PagingType | undefined {
  const { pagingTypes, defaultPagingType } = definition.options
  const inUse = PAGING_TYPES.filter(
    (type) => pagingTypes.includes(type) && PARAMS[type].some((param) => !isBlank(sentValue(params, param))),
  )
  for (const type of inUse) {
    for (const field of PARAMS[type]) {
      const raw = sentValue(params, field)
      if (isBlank(raw)) continue
      if (isCursor(field)) {
        if (typeof raw !== 'string') issues.push({ field, code: 'not_a_string' })
      } else if (castInteger(raw) === undefined) issues.push({ field, code: 'not_an_integer' })
    }
  }
  const [leading = defaultPagingType, ...others] = inUse
  if (leading === undefined || others.length === 0) return leading
  issues.push({ field: PARAMS[leading][0], code: 'mixed_paging_types' })
  return leading === 'offset' ? 'page' : leading
}

const isCursor = (param: string) => param === 'after' || param === 'before'

type OpenCursor = (param: 'after' | 'before', text: string | undefined) => CursorValues | undefined

/** Undefined, with an issue, if the client sent no size and the list has no default. */
export function readPaging(reading: Reading, type: PagingType | undefined, openCursor: OpenCursor): Paging | undefined {
  const { defaultLimit, maxLimit } = reading.definition.options
  if (type === undefined) return { type: 'none', size: defaultLimit === false ? null : defaultLimit }
  const size = readSize(reading, PARAMS[type][0], maxLimit) ?? (defaultLimit === false ? undefined : defaultLimit)
  // Beyond 2^53 neither JavaScript nor every database is exact.
  if (type === 'offset') {
    const offset = readNumber(reading, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0
    return size === undefined ? undefined : { type, size, offset }
  }
  if (type === 'page') {
    const page = readNumber(reading, 'page', 1, Math.floor(Number.MAX_SAFE_INTEGER / (size ?? 1))) ?? 1
    return size === undefined ? undefined : { type, size, page }
  }
  const param = PARAMS[type][1]
  const raw = sentValue(reading.params, param)
  const cursor = openCursor(param, typeof raw === 'string' && !isBlank(raw) ? raw : undefined)
  return size === undefined ? undefined : { type, size, cursor }
}

function readSize(reading: Reading, field: string, max: number): number | undefined {
  const size = readNumber(reading, field, 1, max)
  const isReported = size !== undefined || reading.issues.some((issue) => issue.field === field)
  if (!isReported && reading.definition.options.defaultLimit === false) reading.issues.push({ field, code: 'required' })
  return size
}

function readNumber({ params, issues }: Reading, field: string, min: number, max: number): number | undefined {
  const raw = sentValue(params, field)
  const number = isBlank(raw) ? undefined : castInteger(raw)
  if (number === undefined) return undefined
  const issue: ListIssue | undefined =
    number < min ? { field, code: 'too_small' } : number > max ? { field, code: 'too_large', limit: max } : undefined
  if (issue !== undefined) issues.push(issue)
  // Turns `-0` into 0.
  return issue === undefined ? number + 0 : undefined
}
