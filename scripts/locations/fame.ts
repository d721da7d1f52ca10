import { foldText } from '../../src/lib/text/fold-text.ts'
import { hanSpellings } from './han-spellings.ts'
import type { Place } from './place.ts'
import { listOf, readSeed } from './sources/read-source.ts'

/** The value of one step of manually given fame, in points of importance. */
export const FAME_STEP = 0.4

/** The minimum importance of a place by its steps of fame, whatever its population. */
const FAME_FLOOR = [0, 0, 5.4, 6.5, 7.5, 8.5]

const NAME_SEEDS = ['names.psv', 'east-asian-names.psv']

/** Lifts the places that seeds/fame.psv names, and adds the names of the name seeds. Answers what it did not find. */
export function applyFame(places: readonly Place[]): string[] {
  const find = createFinder(places)
  const missing: string[] = []
  const lifted = new Map<Place, number>()
  for (const [where = '', steps, names] of readSeed('fame.psv')) {
    for (const name of listOf(names)) {
      const place = find(where, name)
      if (place === undefined) missing.push(`${where}: ${name}`)
      else {
        lifted.set(place, Math.max(lifted.get(place) ?? 0, Number(steps)))
        if (where.startsWith('city')) rename(place, name)
      }
    }
  }
  for (const [place, steps] of lifted) {
    place.importance = Math.max(place.importance + FAME_STEP * steps, FAME_FLOOR[steps] ?? 0)
  }
  for (const [where = '', name = '', others, codes] of NAME_SEEDS.flatMap(readSeed)) {
    const place = find(where, name)
    if (place === undefined) missing.push(`${where}: ${name}`)
    place?.names.push(...listOf(others).flatMap(hanSpellings))
    place?.codes.push(...listOf(codes))
  }
  return missing
}

/** The seed's spelling is the well-known one: "Killarney", where the source has "Cill Airne". */
function rename(place: Place, name: string): void {
  if (place.name === name) return
  place.names.push(place.name)
  place.name = name
}

/** The weightiest place of that kind whose name, or else one of whose aliases, is the one given. */
function createFinder(places: readonly Place[]): (where: string, name: string) => Place | undefined {
  const byName = new Map<string, Place>()
  const byAlias = new Map<string, Place>()
  for (const place of places) {
    const kind = place.type === 'neighbourhood' ? 'city' : place.type
    if (kind === 'area' || kind === 'landmark' || kind === 'station') continue
    const where = kind === 'country' || kind === 'airport' ? kind : `${kind} ${place.countryCode}`
    const names = kind === 'airport' ? place.codes : [place.name]
    for (const name of names) keepWeightier(byName, `${where}:${foldText(name)}`, place)
    for (const alias of place.aliases) keepWeightier(byAlias, `${where}:${foldText(alias)}`, place)
  }
  return (where, name) => {
    const key = `${where}:${foldText(name)}`
    return byName.get(key) ?? byAlias.get(key)
  }
}

function keepWeightier(index: Map<string, Place>, key: string, place: Place): void {
  const held = index.get(key)
  if (held === undefined || held.importance < place.importance) index.set(key, place)
}
