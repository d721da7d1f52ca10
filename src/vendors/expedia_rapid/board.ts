import type { Board } from '../../domain/offer.ts'
import { foldText } from '../../lib/fold-text.ts'
import { entriesOf, idOf, listOf, recordOf, textOf, type WireAmenity } from './wire.ts'

/** Dearest first: a rate with breakfast and dinner is half board, not breakfast. */
const ORDER = ['all_inclusive', 'full_board', 'half_board', 'breakfast'] as const satisfies readonly Board[]
type Meal = (typeof ORDER)[number]

/** Rate amenities of Rapid's own reference list; names come in the guest's language, ids do not. */
const BY_ID = new Map<string, Meal>([
  ['2098', 'breakfast'],
  ['2104', 'breakfast'],
])

/** Folded words; Rapid has no field for the board, only names of what a rate includes. */
const WORDS: Readonly<Record<Meal, readonly string[]>> = {
  all_inclusive: ['all inclusive', 'tout compris', 'todo incluido', 'tutto incluso', 'tudo incluido'],
  full_board: ['full board', 'all meals', 'pension complete', 'vollpension', 'pension completa', 'pensione completa'],
  half_board: ['half board', 'breakfast and dinner', 'demi pension', 'halbpension', 'media pension', 'mezza pensione'],
  breakfast: ['breakfast', 'petit dejeuner', 'fruhstuck', 'desayuno', 'colazione', 'cafe da manha', 'ontbijt'],
}

/** The same few names come thousands of times in one answer. */
const known = new Map<string, Meal | undefined>()
const KNOWN_MAX = 5_000

/** What the price includes to eat, by the rate's amenities; room only where none speaks of a meal. */
export function boardOf(amenities: unknown): Board {
  let best: Meal | undefined
  for (const [key, value] of entriesOf(amenities)) {
    const amenity = recordOf<WireAmenity>(value)
    const meal = BY_ID.get(idOf(amenity?.id) || key) ?? byCategory(amenity?.categories) ?? byName(textOf(amenity?.name))
    if (meal !== undefined && (best === undefined || ORDER.indexOf(meal) < ORDER.indexOf(best))) best = meal
  }
  return best ?? 'room_only'
}

const byCategory = (categories: unknown): Meal | undefined => ORDER.find((meal) => listOf(categories).includes(meal))

function byName(name: string): Meal | undefined {
  if (name === '' || name.length > 200) return undefined
  if (known.has(name)) return known.get(name)
  const folded = foldText(name)
  const meal = ORDER.find((each) => WORDS[each].some((word) => folded.includes(word)))
  if (known.size < KNOWN_MAX) known.set(name, meal)
  return meal
}
