import type { Board } from '../../domain/offer.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import { combineMeals, type Meal, mealFor, readHeads, recognizeMeal } from '../wire/meals.ts'
import { asNumber, asText, type Wire } from '../wire/read.ts'

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

/** By code, else by name. Unknown boards, and those that do not cover all guests of the room, are `some_meals`. */
export function readBoard(rate: Wire): Board | undefined {
  // The number in codes of the older list (BB1, BB2) is read as the number of persons, which is a guess.
  const [, code = '', digits = ''] = /^(.*?)(\d*)$/.exec(asText(rate.boardType).trim().toUpperCase()) ?? []
  const name = readBoardName(rate)
  if (code === 'SC') return 'self_catering'
  const heads = digits === '' ? readHeads(name) : Number(digits)
  const guests = (asNumber(rate.adultCount) ?? Number.POSITIVE_INFINITY) + (asNumber(rate.childCount) ?? 0)
  const meals = MEALS.get(code)
  if (meals !== undefined) return combineMeals(meals.map((meal) => mealFor(guests, meal, heads)))
  if (name === '') return undefined
  if (WITHOUT_MEALS.test(name)) return 'room_only'
  return combineMeals([mealFor(guests, recognizeMeal(name) ?? 'some', heads)])
}

export const readBoardName = (rate: Wire): string => plainText(asText(rate.boardName)).slice(0, 100)

/** Codes that the vendor may use for these boards, in its current and older lists. */
const CODES: Readonly<Record<Board, readonly string[]>> = {
  room_only: ['RO'],
  self_catering: ['SC'],
  some_meals: ['DI', 'LI', 'LDI'],
  breakfast: ['BI', 'BB', 'BB1', 'BB2', 'BB3', 'BB4'],
  half_board: ['HB', 'BDI', 'BLI'],
  full_board: ['FB'],
  all_inclusive: ['AI'],
}

export const listBoardCodes = (boards: readonly Board[]): string[] => boards.flatMap((board) => CODES[board])
