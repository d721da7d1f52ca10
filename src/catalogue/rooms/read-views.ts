import type { Fact } from './lexicon.ts'

type ViewsRead = { readonly views: readonly string[]; readonly used: ReadonlySet<number> }

const WINDOW = 4
const isSeparator = ({ name }: Fact) => name === 'and' || name === 'or' || name === 'noise'
/** "Patio view" is a view of the courtyard, not the room's patio. */
const isPatio = ({ name, value }: Fact) => name === 'out' && value === 'patio'
const isModifier = ({ name }: Fact) => name === 'mod' || name === 'full'

/** "Sea view", "vue mer", "view of the park", "partial ocean view", "SV". Unknown places keep their word. */
export function readViews(facts: readonly Fact[]): ViewsRead {
  const views = new Set<string>()
  const used = new Set<number>()
  facts.forEach((fact, index) => {
    if (fact.name === 'abbrview' || fact.name === 'dir') {
      used.add(index)
      if (facts[index + 1]?.name === 'view') used.add(index + 1)
      views.add(`${modifierNear(facts, [index], used)}${fact.value}`)
    }
    if ((fact.name !== 'view' && fact.name !== 'viewof') || used.has(index)) return
    used.add(index)
    const before = fact.name === 'view' ? placesFrom(facts, index, -1) : []
    const places = before.length > 0 ? before : placesFrom(facts, index, 1)
    const words = places.length > 0 ? places : ownWords(facts, index, fact.name === 'view' ? -1 : 1)
    for (const place of words) used.add(place)
    const partial = modifierNear(facts, [index, ...words], used)
    const names = words.map((place) => (facts[place]?.name === 'out' ? 'courtyard' : (facts[place]?.value ?? '')))
    if (names.length === 0) views.add(`${partial}some`)
    // "Garden and sea view" is two views, "Acropolis hill view" one.
    else if (places.length > 0) for (const name of names) views.add(`${partial}${name}`)
    else views.add(`${partial}${names.sort().join('_')}`)
  })
  return { views: [...views].sort(), used }
}

/** Places next to the word "view", possibly separated by "and", "the" and modifiers. */
function placesFrom(facts: readonly Fact[], view: number, step: 1 | -1): number[] {
  const places: number[] = []
  for (let index = view + step, seen = 0; seen < WINDOW; index += step, seen += 1) {
    const fact = facts[index]
    if (fact === undefined) break
    if (fact.name === 'place' || (index === view - 1 && isPatio(fact))) places.push(index)
    else if (!isSeparator(fact) && !isModifier(fact)) break
    if (places.length > 0 && (facts[index + step] === undefined || facts[index + step]?.name === 'view')) break
  }
  return places
}

function ownWords(facts: readonly Fact[], view: number, step: 1 | -1): number[] {
  const words: number[] = []
  for (let index = view + step; words.length < 2; index += step) {
    const fact = facts[index]
    if (fact?.name === 'word') words.push(index)
    else if (fact?.name !== 'noise') break
  }
  return words
}

function modifierNear(facts: readonly Fact[], places: readonly number[], used: Set<number>): string {
  let partial = ''
  for (const place of places) {
    for (const index of [place - 1, place + 1]) {
      const fact = facts[index]
      if (fact === undefined || !isModifier(fact)) continue
      used.add(index)
      if (fact.value === 'partial') partial = 'partial_'
    }
  }
  return partial
}
