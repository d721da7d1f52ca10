import type { Board } from '../../domain/offer.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import { combineMeals, type Meal, recognizeMeal } from '../wire/meals.ts'
import { asText, type Wire } from '../wire/read.ts'

/** Codes of the vendor's current and older lists. */
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

/** By code, else by name. Unknown boards are `some_meals`; the vendor's name is shown. */
export function readBoard(rate: Wire): Board | undefined {
  const code = asText(rate.boardType).trim().toUpperCase()
  const name = readBoardName(rate)
  if (code === 'SC') return 'self_catering'
  // The older list numbers its breakfasts: BB1, BB2 …
  const meals = MEALS.get(code) ?? MEALS.get(code.replace(/\d+$/, ''))
  if (meals !== undefined) return combineMeals(meals)
  if (name === '') return undefined
  return WITHOUT_MEALS.test(name) ? 'room_only' : combineMeals([recognizeMeal(name) ?? 'some'])
}

export const readBoardName = (rate: Wire): string => plainText(asText(rate.boardName)).slice(0, 100)
