import { foldText } from '../../src/lib/text/fold-text.ts'
import { listHanSpellings } from './han-spellings.ts'
import type { Place } from './place.ts'
import { readSeed, splitList } from './sources/read-source.ts'

/** Importance per step of manually assigned fame. */
export const FAME_STEP = 0.4

/** Minimum importance of a place by its steps of fame, whatever its population. */
const FAME_FLOOR = [0, 0, 5.4, 6.5, 7.5, 8.5]

const NAME_SEEDS = ['names.psv', 'east-asian-names.psv']

/**
 * Raises the places in seeds/fame.psv and adds the names of the name seeds. Returns the entries that were not found.
 */
export function applyFame(places: readonly Place[]): string[] {
  const find = createFinder(places)
  const missing: string[] = []
  const fameSteps = new Map<Place, number>()
  for (const [where = '', steps, names] of readSeed('fame.psv')) {
    for (const name of splitList(names)) {
      const place = find(where, name)
      if (place === undefined) missing.push(`${where}: ${name}`)
      else {
        fameSteps.set(place, Math.max(fameSteps.get(place) ?? 0, Number(steps)))
        if (where.startsWith('city')) applySpelling(place, name)
      }
    }
  }
  for (const [place, steps] of fameSteps) {
    place.importance = Math.max(place.importance + FAME_STEP * steps, FAME_FLOOR[steps] ?? 0)
  }
  for (const [where = '', name = '', otherNames, codes] of NAME_SEEDS.flatMap(readSeed)) {
    const place = find(where, name)
    if (place === undefined) missing.push(`${where}: ${name}`)
    place?.names.push(...splitList(otherNames).flatMap(listHanSpellings))
    place?.codes.push(...splitList(codes))
  }
  return missing
}

/** Uses the seed's well-known spelling: "Killarney" instead of the source's "Cill Airne". */
function applySpelling(place: Place, name: string): void {
  if (place.name === name) return
  place.names.push(place.name)
  place.name = name
}

/** Finds the most important place of a kind by name, or by alias. */
function createFinder(places: readonly Place[]): (where: string, name: string) => Place | undefined {
  const byName = new Map<string, Place>()
  const byAlias = new Map<string, Place>()
  for (const place of places) {
    const kind = place.type === 'neighbourhood' ? 'city' : place.type
    if (kind === 'area' || kind === 'landmark' || kind === 'station') continue
    const where = kind === 'country' || kind === 'airport' ? kind : `${kind} ${place.countryCode}`
    const names = kind === 'airport' ? place.codes : [place.name]
    for (const name of names) keepMoreImportant(byName, `${where}:${foldText(name)}`, place)
    for (const alias of place.aliases) keepMoreImportant(byAlias, `${where}:${foldText(alias)}`, place)
  }
  return (where, name) => {
    const key = `${where}:${foldText(name)}`
    return byName.get(key) ?? byAlias.get(key)
  }
}

function keepMoreImportant(index: Map<string, Place>, key: string, place: Place): void {
  const current = index.get(key)
  if (current === undefined || current.importance < place.importance) index.set(key, place)
}
