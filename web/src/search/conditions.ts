import type { Board, SearchBody, SearchResult } from '../api/shapes.ts'

/** Requirements for a room. The search asks the vendors for them. */
export type Conditions = { readonly boards: readonly Board[]; readonly freeCancellation: boolean }

/** In display order. */
export const BOARD_OPTIONS = [
  'room_only',
  'self_catering',
  'breakfast',
  'half_board',
  'full_board',
  'all_inclusive',
  'some_meals',
] as const satisfies readonly Board[]

export const NO_CONDITIONS: Conditions = { boards: [], freeCancellation: false }

export const hasConditions = ({ boards, freeCancellation }: Conditions): boolean =>
  freeCancellation || boards.length > 0

/** Ignores unknown boards in a link. */
export function readConditions(query: URLSearchParams): Conditions {
  const named = (query.get('board') ?? '').split(',')
  return { boards: BOARD_OPTIONS.filter((board) => named.includes(board)), freeCancellation: query.get('free') === '1' }
}

/** Equal conditions have equal parameters; those that are empty are not part of the address. */
export const writeConditions = ({ boards, freeCancellation }: Conditions) => ({
  board: BOARD_OPTIONS.filter((board) => boards.includes(board)).join(','),
  free: freeCancellation ? '1' : '',
})

export function toConditionsRequest(conditions: Conditions): Pick<SearchBody, 'conditions'> {
  if (!hasConditions(conditions)) return {}
  const { boards, freeCancellation } = conditions
  return {
    conditions: {
      ...(freeCancellation && { free_cancellation: true }),
      ...(boards.length > 0 && { boards: [...boards] }),
    },
  }
}

export const isSameConditions = (conditions: Conditions, other: Conditions): boolean =>
  isSameRequest(toConditionsRequest(conditions).conditions, toConditionsRequest(other).conditions)

type Asked = SearchBody['conditions'] | SearchResult['conditions']

export function isSameRequest(asked: Asked, other: Asked): boolean {
  const serialize = (each: Asked) => [each?.free_cancellation === true, ...[...(each?.boards ?? [])].sort()].join()
  return serialize(asked) === serialize(other)
}
