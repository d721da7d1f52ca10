import type { StandInSettings } from '../../server/settings.ts'
import type { WorldProperty, WorldRate } from '../../world/contract.ts'
import { hash, hashShare } from '../../world/hash.ts'

/** An included amenity: its id, and its name in the language of the response. */
type RateAmenity = { readonly id: string; readonly name: string; readonly categories?: readonly string[] }

/** Alternative descriptions of each board, the plain one first. Unknown ids have a category or a name. */
const BOARDS: Readonly<Record<WorldRate['board'], readonly (readonly RateAmenity[])[]>> = {
  room_only: [[]],
  some_meals: [[{ id: '1073749106', name: 'Kaiseki course on arrival day', categories: ['meals'] }]],
  self_catering: [[]],
  breakfast: [
    [{ id: '2098', name: 'Free breakfast', categories: ['breakfast'] }],
    [{ id: '1073742786', name: 'Free breakfast' }],
    [{ id: '2205', name: 'Bữa sáng buffet' }],
    [{ id: '2194', name: 'Petit déjeuner pour 2' }],
    [{ id: '2103', name: 'Kontinentales Frühstück' }],
    [{ id: '1073744734', name: '和朝食' }],
    [{ id: '1073749101', name: 'Morgenmad', categories: ['breakfast'] }],
    [{ id: '1073749102', name: 'Colazione inclusa' }],
  ],
  half_board: [
    [{ id: '2206', name: 'Half board' }],
    [{ id: '1073744755', name: 'Half board (buffet dinner)' }],
    [
      { id: '1073742786', name: 'Free breakfast' },
      { id: '2107', name: 'Free dinner' },
    ],
    [{ id: '1073749103', name: 'Mezza pensione' }],
  ],
  full_board: [
    [{ id: '2207', name: 'Full board' }],
    [
      { id: '1073742786', name: 'Free breakfast' },
      { id: '2102', name: 'All meals' },
    ],
    [{ id: '1073749104', name: 'Pension complète', categories: ['full_board'] }],
  ],
  all_inclusive: [[{ id: '2111', name: 'All-inclusive' }], [{ id: '1073749105', name: 'Todo incluido' }]],
}

/** Boards of the rates that have each category: a rate with dinner has breakfast too. */
const CATEGORIES: Readonly<Record<string, readonly WorldRate['board'][]>> = {
  breakfast: ['breakfast', 'half_board', 'full_board'],
  half_board: ['half_board'],
  full_board: ['full_board'],
  all_inclusive: ['all_inclusive'],
}

export const hasCategory = (category: string, board: WorldRate['board']): boolean =>
  CATEGORIES[category]?.includes(board) ?? false

export const isCategory = (category: string): boolean => Object.hasOwn(CATEGORIES, category)

/** `GET /references/rate-amenities`. */
export function listRateAmenities({ unlistedCategories }: Readonly<StandInSettings>) {
  const amenities = Object.entries(BOARDS).flatMap(([board, alternatives]) =>
    alternatives.flat().map(({ id, name }) => {
      const categories = isCategory(board) && unlistedCategories !== 1 ? { categories: [board] } : {}
      return [id, { id: Number(id), name, has_value: false, ...categories }] as const
    }),
  )
  return Object.fromEntries([...amenities, ['2192', { id: 2192, name: 'Free WiFi', has_value: false }]])
}

const BREAKFAST_FOR_ONE = { '1073742857': { id: '1073742857', name: 'Breakfast for 1' } }

export function listMeals(
  property: WorldProperty,
  rate: WorldRate,
  settings: Pick<StandInSettings, 'otherBoards' | 'headCountMeals'>,
) {
  if (rate.board === 'breakfast' && hashShare(property.key, 43) < settings.headCountMeals) return BREAKFAST_FOR_ONE
  const alternatives = BOARDS[rate.board]
  const isPlain = hashShare(property.key, 41) >= settings.otherBoards
  const amenities = alternatives[isPlain ? 0 : hash(property.key, 42) % alternatives.length] ?? []
  return Object.fromEntries(amenities.map((amenity) => [amenity.id, amenity]))
}
