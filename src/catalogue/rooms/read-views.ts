import type { Fact } from './lexicon.ts'

type ViewsRead = { readonly views: readonly string[]; readonly used: ReadonlySet<number> }

const WINDOW = 4
const isBetween = ({ name }: Fact) => name === 'and' || name === 'or' || name === 'noise'
/** "Patio view" is a view of the courtyard, not a patio of the room. */
const isPatio = ({ name, value }: Fact) => name === 'out' && value === 'patio'
const isModifier = ({ name }: Fact) => name === 'mod' || name === 'full'

/** "Sea view", "vue mer", "view of the park", "partial ocean view", "SV". A view of something unknown keeps its word. */
export function readViews(facts: readonly Fact[]): ViewsRead {
  const views = new Set<string>()
  const used = new Set<number>()
  facts.forEach((fact, at) => {
    if (fact.name === 'abbrview' || fact.name === 'dir') {
      used.add(at)
      if (facts[at + 1]?.name === 'view') used.add(at + 1)
      views.add(`${modifierNear(facts, [at], used)}${fact.value}`)
    }
    if ((fact.name !== 'view' && fact.name !== 'viewof') || used.has(at)) return
    used.add(at)
    const before = fact.name === 'view' ? placesFrom(facts, at, -1) : []
    const places = before.length > 0 ? before : placesFrom(facts, at, 1)
    const words = places.length > 0 ? places : ownWords(facts, at, fact.name === 'view' ? -1 : 1)
    for (const place of words) used.add(place)
    const partial = modifierNear(facts, [at, ...words], used)
    const names = words.map((place) => (facts[place]?.name === 'out' ? 'courtyard' : (facts[place]?.value ?? '')))
    if (names.length === 0) views.add(`${partial}some`)
    // "Garden and sea view" is two views, "Acropolis hill view" one.
    else if (places.length > 0) for (const name of names) views.add(`${partial}${name}`)
    else views.add(`${partial}${names.sort().join('_')}`)
  })
  return { views: [...views].sort(), used }
}

/** Places next to the word "view", with "and", "the" and modifiers between. */
function placesFrom(facts: readonly Fact[], view: number, step: 1 | -1): number[] {
  const places: number[] = []
  for (let at = view + step, seen = 0; seen < WINDOW; at += step, seen += 1) {
    const fact = facts[at]
    if (fact === undefined) break
    if (fact.name === 'place' || (at === view - 1 && isPatio(fact))) places.push(at)
    else if (!isBetween(fact) && !isModifier(fact)) break
    if (places.length > 0 && (facts[at + step] === undefined || facts[at + step]?.name === 'view')) break
  }
  return places
}

function ownWords(facts: readonly Fact[], view: number, step: 1 | -1): number[] {
  const words: number[] = []
  for (let at = view + step; words.length < 2; at += step) {
    const fact = facts[at]
    if (fact?.name === 'word') words.push(at)
    else if (fact?.name !== 'noise') break
  }
  return words
}

function modifierNear(facts: readonly Fact[], places: readonly number[], used: Set<number>): string {
  let partial = ''
  for (const place of places) {
    for (const at of [place - 1, place + 1]) {
      const fact = facts[at]
      if (fact === undefined || !isModifier(fact)) continue
      used.add(at)
      if (fact.value === 'partial') partial = 'partial_'
    }
  }
  return partial
}
