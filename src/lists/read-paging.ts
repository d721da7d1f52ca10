import { castInteger, isBlank } from './cast-value.ts'
import type { ListDefinition, PagingType } from './definition.ts'
import type { IssueBook, PagingParam } from './list-issues.ts'
import * as issues from './list-issues.ts'

type IntegerParam = Exclude<PagingParam, 'after' | 'before'>

/** What was sent for paging and could be read. `present` also counts what could not. */
export type SentPaging = {
  readonly integers: ReadonlyMap<IntegerParam, number>
  readonly cursors: ReadonlyMap<'after' | 'before', string>
  readonly present: ReadonlySet<PagingParam>
}

const PARAMS_OF = {
  first: ['first', 'after'],
  last: ['last', 'before'],
  offset: ['limit', 'offset'],
  page: ['page', 'page_size'],
} as const satisfies Record<PagingType, readonly PagingParam[]>

export const SIZE_PARAM = {
  first: 'first',
  last: 'last',
  offset: 'limit',
  page: 'page_size',
} as const satisfies Record<PagingType, IntegerParam>

const NOTHING_SENT: SentPaging = { integers: new Map(), cursors: new Map(), present: new Set() }

export function readPaging(
  definition: ListDefinition,
  params: Readonly<Record<string, unknown>>,
  book: IssueBook,
): SentPaging {
  const { paging, pagingTypes } = definition.options
  if (!paging) return NOTHING_SENT
  const integers = new Map<IntegerParam, number>()
  const cursors = new Map<'after' | 'before', string>()
  const present = new Set<PagingParam>()
  for (const param of pagingTypes.flatMap((type): readonly PagingParam[] => PARAMS_OF[type])) {
    const raw = Object.hasOwn(params, param) ? params[param] : undefined
    if (isBlank(raw)) continue
    present.add(param)
    if (param === 'after' || param === 'before') {
      if (typeof raw === 'string') cursors.set(param, raw)
      else book.add(param, issues.notAString())
      continue
    }
    const number = castInteger(raw)
    if (number === undefined) book.add(param, issues.notAnInteger())
    else integers.set(param, number)
  }
  return { integers, cursors, present }
}

/** One paging type a request. The complaint goes to the first parameter of the first type in use. */
export function rejectMixedPaging(definition: ListDefinition, sent: SentPaging, book: IssueBook): SentPaging {
  const inUse = (['first', 'last', 'offset', 'page'] as const).filter((type) => isInUse(sent, type))
  const [leading] = inUse
  if (leading === undefined || inUse.length < 2) return sent
  if (definition.options.replaceInvalid) {
    book.drop(...sent.present)
    return NOTHING_SENT
  }
  book.add(PARAMS_OF[leading][0], issues.mixedPaging())
  return sent
}

/** Which type's rules apply; when types are mixed this order decides, and it is not that of the complaint. */
export function pagingTypeOf(definition: ListDefinition, sent: SentPaging): PagingType | undefined {
  const inUse = (['first', 'last', 'page', 'offset'] as const).find((type) => isInUse(sent, type))
  return inUse ?? definition.options.defaultPagingType
}

const isInUse = (sent: SentPaging, type: PagingType) => PARAMS_OF[type].some((param) => sent.present.has(param))

/** The size to page by: as sent, or the default; undefined when there is neither, which is then in the book. */
export function settleSize(
  definition: ListDefinition,
  sent: SentPaging,
  type: PagingType,
  book: IssueBook,
): number | undefined {
  const { defaultLimit, maxLimit } = definition.options
  const param = SIZE_PARAM[type]
  const size = settleNumber(definition, sent, param, book, (number) => {
    if (number <= 0) return issues.notGreaterThan(0)
    return maxLimit !== false && number > maxLimit ? issues.notAtMost(maxLimit) : undefined
  })
  if (size !== undefined) return size
  if (defaultLimit !== false) return defaultLimit
  if (!book.has(param)) book.add(param, issues.sizeMissing())
  return undefined
}

/** Beyond 2^53 neither JavaScript nor every database counts exactly. */
export function settleOffset(definition: ListDefinition, sent: SentPaging, book: IssueBook): number {
  const offset = settleNumber(definition, sent, 'offset', book, (number) => {
    if (number < 0) return issues.notAtLeast(0)
    return Number.isSafeInteger(number) ? undefined : issues.notAtMost(Number.MAX_SAFE_INTEGER)
  })
  return offset ?? 0
}

export function settlePage(definition: ListDefinition, sent: SentPaging, size: number, book: IssueBook): number {
  const pageMax = Math.floor(Number.MAX_SAFE_INTEGER / size)
  const page = settleNumber(definition, sent, 'page', book, (number) => {
    if (number <= 0) return issues.notGreaterThan(0)
    return number <= pageMax ? undefined : issues.notAtMost(pageMax)
  })
  return page ?? 1
}

function settleNumber(
  definition: ListDefinition,
  sent: SentPaging,
  param: IntegerParam,
  book: IssueBook,
  complaintOf: (number: number) => issues.ListIssue | undefined,
): number | undefined {
  const number = sent.integers.get(param)
  const complaint = number === undefined ? undefined : complaintOf(number)
  if (complaint !== undefined) book.add(param, complaint)
  if (definition.options.replaceInvalid) book.drop(param)
  if (complaint !== undefined) return undefined
  // `-0` is a number one may send, and 0 is what it means.
  return number === 0 ? 0 : number
}
