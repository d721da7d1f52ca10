import type { Board } from '../../domain/offer.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import { boardOfMeals, type Meal, mealByWords } from '../wire/meals.ts'
import { textOf, type Wire } from '../wire/read.ts'

/** The vendor's current list and the codes of its older one. */
const MEALS: ReadonlyMap<string, readonly Meal[]> = new Map([
  ['RO', []],
  ['BI', ['breakfast']],
  ['BB', ['breakfast']],
  ['HB', ['half_board']],
  ['FB', ['full_board']],
  ['AI', ['all_inclusive']],
  ['DI', ['dinner']],
  ['LI', ['lunch']],
  ['BDI', ['breakfast', 'dinner']],
  ['BLI', ['breakfast', 'lunch']],
  ['LDI', ['lunch', 'dinner']],
])
const WITHOUT_MEALS = /room only|accommodation only|bed only|no meals/i

/** By code, else by name. A code and a name that nobody knows are some meals, in the vendor's words. */
export function boardOf(rate: Wire): Board | undefined {
  const code = textOf(rate.boardType).trim().toUpperCase()
  const name = boardName(rate)
  if (code === 'SC') return 'self_catering'
  // The older list numbers its breakfasts: BB1, BB2 …
  const meals = MEALS.get(code) ?? MEALS.get(code.replace(/\d+$/, ''))
  if (meals !== undefined) return boardOfMeals(meals)
  if (name === '') return undefined
  return WITHOUT_MEALS.test(name) ? 'room_only' : boardOfMeals([mealByWords(name) ?? 'some'])
}

export const boardName = (rate: Wire): string => plainText(textOf(rate.boardName)).slice(0, 100)
