import { ASPECT, hash, hashShare, itemAt } from '../hash.ts'
import type { Style } from '../places/countries.ts'
import { findStyleWords } from '../words/styles.ts'
import { type Traits, toPropertyNumber } from './traits.ts'

const TOWERS: readonly (readonly [string, string])[] = [
  ['East Tower', 'West Tower'],
  ['North Tower', 'South Tower'],
  ['Tower One', 'Tower Two'],
  ['Garden Wing', 'Lagoon Wing'],
]

/** Part of town used in the name, the address and the texts of a property. */
export function pickQuarter({ rootKey, country, setting }: Traits): string {
  return itemAt(quartersFor(country.style, setting === 'beach'), hash(rootKey, ASPECT.address, 9))
}

const BY_WATER =
  /beach|harbour|marina|seafront|waterfront|port|puerto|praia|playa|lungomare|paralia|malecón|orla|havn|hafen|haven|brygga|sahil|liman|riva|orniche|pier|bund|bay|lagoon|esplanade|faleză|minato|docklands|söder|beira/i
const quartersByStyle = new Map<string, readonly string[]>()

/** A town away from the sea has no harbour quarter. */
function quartersFor(style: Style, bySea: boolean): readonly string[] {
  const slot = `${style} ${bySea}`
  let found = quartersByStyle.get(slot)
  if (found === undefined) {
    found = findStyleWords(style).quarters.filter(
      (quarter) => bySea || /airport/i.test(quarter) || !BY_WATER.test(quarter),
    )
    quartersByStyle.set(slot, found)
  }
  return found
}

/** The true name. Two independent properties of one place never share it, unless they are towers of one resort. */
export function createName(traits: Traits): string {
  const plain = traits.chain === undefined ? independentName(traits) : chainName(traits, traits.chain.name)
  if (traits.twin?.relation !== 'towers') return plain
  return `${plain} - ${itemAt(TOWERS, hash(traits.rootKey, ASPECT.name, 3))[traits.twin.side]}`
}

/** "Lumorane Paris Opéra"; a second property of the chain in the same street gets a suffix. */
function chainName(traits: Traits, chain: string): string {
  const place = shortenPlace(traits.place.name)
  const quarter = traits.place.population > 40_000 ? ` ${pickQuarter(traits)}` : ''
  const name =
    chain.startsWith('The ') ||
    /Hostels|Inn|Residences|Suites/.test(chain) ||
    hashShare(traits.rootKey, ASPECT.name) < 0.6
      ? `${chain} ${place}${quarter}`
      : `${chain} Hotel ${place}${quarter}`
  if (traits.twin?.relation === 'street') return traits.twin.side === 0 ? name : `${name} II`
  return name
}

/**
 * Deals names like cards: the n-th property takes the n-th name of a shuffled list. When the list is used up, the
 * template changes, so that a big city never has two "Hôtel Bellevue".
 */
function independentName(traits: Traits): string {
  const words = findStyleWords(traits.country.style)
  const start = hash(traits.place.sourceId, ASPECT.name)
  const n = traits.twin?.relation === 'towers' ? toPropertyNumber(traits.rootKey) : traits.n
  const card = (start + n * chooseStride(words.cores.length)) % words.cores.length
  const round = Math.floor(n / words.cores.length)
  const templates = words[traits.kind]
  const template = itemAt(templates, (hash(traits.place.sourceId, card, ASPECT.name) % templates.length) + round)
  return template.replace('{c}', itemAt(words.cores, card)).replace('{p}', shortenPlace(traits.place.name))
}

/** A step that visits every item once before it returns to the first. */
function chooseStride(length: number): number {
  for (const stride of [17, 19, 23, 13]) if (length % stride !== 0) return stride
  return 1
}

/** "Cabo San Lucas" stays; "Saint-Denis (La Réunion)" loses its bracket; a slash keeps its first half. */
const shortenPlace = (name: string): string => name.replace(/\s*[(/].*$/, '').trim() || name
