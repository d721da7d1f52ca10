import type { Board } from '../../domain/offer.ts'
import { boardOfMeals, mealByWords } from '../wire/meals.ts'
import { textOf, type Wire } from '../wire/read.ts'

/**
 * Boards as the vendor codes them (its list of 2016 and the codes of its 2024 one that are known). A mixed board
 * is sold as the lesser of the two, the part that every night has.
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

/** By code, else by name. A code and a name that nobody knows are some meals, told in the vendor's words. */
export function boardOf(rate: Wire): Board | undefined {
  const known = CODES.get(rate.boardCode)
  const name = textOf(rate.boardName).trim()
  if (known !== undefined || name === '' || textOf(rate.boardCode) === '') return known
  return WITHOUT_MEALS.test(name) ? 'room_only' : boardOfMeals([mealByWords(name) ?? 'some'])
}
