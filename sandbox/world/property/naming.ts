import { ASPECT, at, hash, share } from '../hash.ts'
import type { Style } from '../places/countries.ts'
import { wordsOf } from '../words/styles.ts'
import { numberOf, type Traits } from './traits.ts'

const TOWERS: readonly (readonly [string, string])[] = [
  ['East Tower', 'West Tower'],
  ['North Tower', 'South Tower'],
  ['Tower One', 'Tower Two'],
  ['Garden Wing', 'Lagoon Wing'],
]

/** The part of town that the name, the address and the texts of a property mention. */
export function quarterOf({ rootKey, country, setting }: Traits): string {
  return at(quartersFor(country.style, setting === 'beach'), hash(rootKey, ASPECT.address, 9))
}

const BY_WATER =
  /beach|harbour|marina|seafront|waterfront|port|puerto|praia|playa|lungomare|paralia|malecón|orla|havn|hafen|haven|brygga|sahil|liman|riva|orniche|pier|bund|bay|lagoon|esplanade|faleză|minato|docklands|söder|beira/i
const quartersByStyle = new Map<string, readonly string[]>()

/** A town without a shore has no harbour quarter. */
function quartersFor(style: Style, bySea: boolean): readonly string[] {
  const slot = `${style} ${bySea}`
  let found = quartersByStyle.get(slot)
  if (found === undefined) {
    found = wordsOf(style).quarters.filter((quarter) => bySea || /airport/i.test(quarter) || !BY_WATER.test(quarter))
    quartersByStyle.set(slot, found)
  }
  return found
}

/** The true name. Two independent properties of one place never share it, unless they are towers of one resort. */
export function nameOf(traits: Traits): string {
  const plain = traits.chain === undefined ? independentName(traits) : chainName(traits, traits.chain.name)
  if (traits.twin?.of !== 'towers') return plain
  return `${plain} - ${at(TOWERS, hash(traits.rootKey, ASPECT.name, 3))[traits.twin.side]}`
}

/** "Lumorane Paris Opéra"; the second property of the chain in the same street gets a further word. */
function chainName(traits: Traits, chain: string): string {
  const place = shortPlace(traits.place.name)
  const quarter = traits.place.population > 40_000 ? ` ${quarterOf(traits)}` : ''
  const name =
    chain.startsWith('The ') || /Hostels|Inn|Residences|Suites/.test(chain) || share(traits.rootKey, ASPECT.name) < 0.6
      ? `${chain} ${place}${quarter}`
      : `${chain} Hotel ${place}${quarter}`
  if (traits.twin?.of === 'street') return traits.twin.side === 0 ? name : `${name} II`
  return name
}

/**
 * Names are dealt like cards: the n-th property takes the n-th name of a shuffled list, and when the list is used up,
 * another template, so that a big city has no two "Hôtel Bellevue".
 */
function independentName(traits: Traits): string {
  const words = wordsOf(traits.country.style)
  const start = hash(traits.place.sourceId, ASPECT.name)
  const n = traits.twin?.of === 'towers' ? numberOf(traits.rootKey) : traits.n
  const card = (start + n * strideOf(words.cores.length)) % words.cores.length
  const round = Math.floor(n / words.cores.length)
  const templates = words[traits.kind]
  const template = at(templates, (hash(traits.place.sourceId, card, ASPECT.name) % templates.length) + round)
  return template.replace('{c}', at(words.cores, card)).replace('{p}', shortPlace(traits.place.name))
}

/** A step that visits every item once before it returns to the first. */
function strideOf(length: number): number {
  for (const stride of [17, 19, 23, 13]) if (length % stride !== 0) return stride
  return 1
}

/** "Cabo San Lucas" stays, "Saint-Denis (La Réunion)" loses its bracket, a slash keeps its first half. */
const shortPlace = (name: string): string => name.replace(/\s*[(/].*$/, '').trim() || name
