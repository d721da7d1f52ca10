import type { Board } from '../../domain/offer.ts'
import { combineMeals, type Meal, mealFor, readHeads, recognizeMeal } from '../wire/meals.ts'
import { asNumber, asText, type Wire } from '../wire/read.ts'

/**
 * Board codes from the vendor's list of 2016 and the known codes of 2024. A mixed board is sold as the lesser of the
 * two, which every night includes.
 */
const CODES: ReadonlyMap<unknown, Board> = new Map<unknown, Board>([
  ['RO', 'room_only'],
  ['SC', 'self_catering'],
  ...['BB', 'CB', 'AB', 'DB', 'GB', 'IB', 'SB', 'BH'].map((code): [string, Board] => [code, 'breakfast']),
  ...['HB', 'MB', 'FH'].map((code): [string, Board] => [code, 'half_board']),
  ...['FB', 'PB'].map((code): [string, Board] => [code, 'full_board']),
  ...['AI', 'AS'].map((code): [string, Board] => [code, 'all_inclusive']),
])
const WITHOUT_MEALS = /room only|accommodation only|bed only|no meals|s[oó]lo alojamiento|nur [üu]bernachtung/i

/** Breakfast for a number of guests of the room: B1, B2 … */
const COUNTED_BREAKFAST = /^B(\d)$/

/** Known codes of a board. */
export const listBoardCodes = (wanted: Board): unknown[] =>
  [...CODES]
    .flatMap(([code, board]) => (board === wanted ? [code] : []))
    .concat(wanted === 'breakfast' ? ['B1', 'B2'] : [])

/** By code, else by name. Unknown boards, and those that do not cover all guests of a room, are `some_meals`. */
export function readBoard(rate: Wire): Board | undefined {
  const code = asText(rate.boardCode)
  const name = asText(rate.boardName).trim()
  const knownBoard = CODES.get(code)
  if (knownBoard !== undefined || name === '' || code === '') return knownBoard
  const counted = COUNTED_BREAKFAST.exec(code)?.[1]
  if (counted !== undefined) return combineMeals([forGuests(rate, 'breakfast', Number(counted))])
  if (WITHOUT_MEALS.test(name)) return 'room_only'
  return combineMeals([forGuests(rate, recognizeMeal(name) ?? 'some', readHeads(name))])
}

const forGuests = ({ adults, children }: Wire, meal: Meal, heads: number | undefined) =>
  mealFor((asNumber(adults) ?? Number.POSITIVE_INFINITY) + (asNumber(children) ?? 0), meal, heads)
