import type { Board } from '../../domain/offer.ts'
import { combineMeals, recognizeMeal } from '../wire/meals.ts'
import { asText, type Wire } from '../wire/read.ts'

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

/** By code, else by name. Unknown boards are `some_meals`; the vendor's name is shown. */
export function readBoard(rate: Wire): Board | undefined {
  const knownBoard = CODES.get(rate.boardCode)
  const name = asText(rate.boardName).trim()
  if (knownBoard !== undefined || name === '' || asText(rate.boardCode) === '') return knownBoard
  return WITHOUT_MEALS.test(name) ? 'room_only' : combineMeals([recognizeMeal(name) ?? 'some'])
}
