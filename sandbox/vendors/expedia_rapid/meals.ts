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

export function listMeals(property: WorldProperty, rate: WorldRate, settings: Pick<StandInSettings, 'otherBoards'>) {
  const alternatives = BOARDS[rate.board]
  const isPlain = hashShare(property.key, 41) >= settings.otherBoards
  const amenities = alternatives[isPlain ? 0 : hash(property.key, 42) % alternatives.length] ?? []
  return Object.fromEntries(amenities.map((amenity) => [amenity.id, amenity]))
}
