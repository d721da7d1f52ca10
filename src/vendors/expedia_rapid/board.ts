import type { Board } from '../../domain/offer.ts'
import { plainText } from '../../lib/text/clean-markup.ts'
import { combineMeals, type Meal, mealFor, readHeads, recognizeMeal } from '../wire/meals.ts'
import { asEntries, asList, asRecord, asText, readId } from '../wire/read.ts'

/** Ids of rate amenities recorded by integrators. Ids do not depend on the language; names do. */
const IDS: Readonly<Record<Exclude<Meal, 'some'>, string>> = {
  all_inclusive: '2111',
  full_board: '2102 2207',
  half_board: '2206 1073744753 1073744754 1073744755',
  breakfast: '2098 2103 2104 2105 2193 2194 2205 1073742786 1073742857 1073744459 1073744734 1073744735',
  lunch: '2106',
  dinner: '2107 1073744736 1073744737 1073744738 1073744739 1073744750 1073744751 1073744752',
}
const MEAL_IDS = new Map(
  Object.entries(IDS).flatMap(([meal, ids]) => ids.split(' ').map((id): [string, Meal] => [id, meal as Meal])),
)
/** Food that is not a meal: credit to spend. */
const NOT_MEALS = new Set(['2108'])

/** Meals whose number of persons is in their name, by id. All others are for all guests, unless the name says otherwise. */
const HEADS_BY_ID = new Map([
  ['1073742857', 1],
  ['2194', 2],
])

/**
 * Meals of a rate: by id, then category, then name. An unknown meal never results in `room_only`. `guests` is the number
 * of guests of the fullest room.
 */
export const readBoard = (amenities: unknown, guests: number): Board =>
  combineMeals(
    asEntries(amenities).map(([key, value]) => {
      const { meal, heads } = readMeal(key, value)
      return mealFor(guests, meal, heads)
    }),
  )

/** Names of the included meals. */
export const listMealNames = (amenities: unknown): string[] =>
  asEntries(amenities).flatMap(([key, value]) =>
    readMeal(key, value).meal === undefined ? [] : plainText(asText(asRecord(value)?.name)) || [],
  )

function readMeal(
  key: string,
  value: unknown,
): { readonly meal?: Meal | undefined; readonly heads?: number | undefined } {
  const amenity = asRecord(value)
  const id = readId(amenity?.id) || key
  const name = asText(amenity?.name)
  if (NOT_MEALS.has(id)) return {}
  const meal = MEAL_IDS.get(id) ?? readCategoryMeal(amenity?.categories) ?? recognizeMeal(name)
  return meal === undefined ? {} : { meal, heads: HEADS_BY_ID.get(id) ?? readHeads(name) }
}

/** Guests of the fullest room, from keys such as `2-9,4`. */
export const countGuests = (occupancies: readonly string[]): number =>
  Math.max(
    0,
    ...occupancies.map((key) => {
      const [adults = '', ages = ''] = key.split('-')
      return Number(adults) + ages.split(',').filter((age) => age !== '').length
    }),
  )

/** Matches `breakfast`, `free_breakfast`, `half_board` and so on; any other category about food is `some`. */
function readCategoryMeal(categories: unknown): Meal | undefined {
  for (const category of asList(categories)) {
    const key = asText(category).toLowerCase()
    const meal = CATEGORY_MEALS.find((known) => key.includes(known))
    if (meal !== undefined) return meal
    if (/meal|board_basis/.test(key)) return 'some'
  }
  return undefined
}
const CATEGORY_MEALS = ['all_inclusive', 'full_board', 'half_board', 'breakfast', 'lunch', 'dinner'] as const
