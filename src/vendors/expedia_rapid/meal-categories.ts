import type { Board } from '../../domain/offer.ts'
import type { CallContext } from '../../lib/async/call-context.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { Caller } from '../transport/caller.ts'
import { asEntries, asRecord, asTexts } from '../wire/read.ts'
import { readBoard } from './board.ts'
import type { ExpediaRapidConfig } from './config.ts'
import { encodeRateAmenities } from './encode.ts'

/** Values of `amenity_category` by board. */
type MealCategories = ReadonlyMap<Board, string>

/** Reads the values that Rapid lists, once a day; it rejects a search with any other. */
export function createMealCategories(rapid: Caller<ExpediaRapidConfig>) {
  let known: MealCategories | undefined
  let readAt = Number.NEGATIVE_INFINITY
  return async (context: CallContext): Promise<MealCategories> => {
    const now = rapid.clock.now()
    if (known !== undefined && now - readAt < DAY_MS) return known
    const { body } = await rapid.request(encodeRateAmenities(rapid.config), context)
    known = decodeMealCategories(body)
    readAt = now
    return known
  }
}

/** If a board has several categories, the shortest is the most general. */
function decodeMealCategories(body: unknown): MealCategories {
  const listed = new Set(asEntries(body).flatMap(([, amenity]) => asTexts(asRecord(amenity)?.categories)))
  const categories = new Map<Board, string>()
  for (const category of [...listed].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    const board = readBoard({ amenity: { categories: [category] } }, 1)
    const isMeal = board !== 'room_only' && board !== 'some_meals'
    if (isMeal && !categories.has(board)) categories.set(board, category)
  }
  return categories
}
