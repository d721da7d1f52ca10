import { useI18n } from '../i18n/i18n.tsx'
import type { Conditions } from './conditions.ts'

/** Formats conditions for a sentence: “Free cancellation” and “Breakfast included”. */
export function useConditionNames({ boards, freeCancellation }: Conditions): string {
  const { t, list } = useI18n()
  const quote = (name: string) => t('quoted', { name })
  const meals = boards.map((board) => quote(t(`board_${board}`)))
  const free = freeCancellation ? [quote(t('filter_free'))] : []
  return list([...free, ...(meals.length === 0 ? [] : [list(meals, 'disjunction')])])
}
