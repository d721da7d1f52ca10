import type { Fact } from './lexicon.ts'

/**
 * Alternatives such as `1king`, `2single` or `1king+1single`, sorted; empty if unknown. `double` is a room for two with unknown
 * beds, `marital` one with a single large bed ("matrimoniale", not "doppia"), and `2any` two beds of unknown size.
 */
export type Beds = {
  readonly choices: readonly string[]
  /** The guest can choose from a structured list, unlike "double or twin" in a name. */
  readonly chosenByGuest: boolean
  readonly sofa: boolean
}

type Item = { readonly count: number | undefined; readonly size: string; readonly isAlternative: boolean }

type BedsRead = {
  readonly beds: Beds
  /** "Single room": one person, whatever the bed. */
  readonly isSingle: boolean
  /** Indices of the facts that were read as beds. */
  readonly used: ReadonlySet<number>
}

const MAIN = new Set(['king', 'queen', 'double', 'marital', 'twin', 'single', 'bunk', 'any'])

export function readBeds(facts: readonly Fact[]): BedsRead {
  const used = new Set<number>()
  const items = readItems(facts, used)
  const main = items.filter(({ size }) => MAIN.has(size))
  const counted = main.filter(({ count }) => count !== undefined)
  const bare = main.filter(({ count }) => count === undefined)
  const choices = counted.length > 0 ? countedChoices(counted) : bareChoices(bare)
  return {
    beds: { choices, chosenByGuest: false, sofa: items.some(({ size }) => size === 'sofa' || size === 'murphy') },
    isSingle: bare.some(({ size }) => size === 'single') && bare.every(({ size }) => size === 'single'),
    used,
  }
}

function readItems(facts: readonly Fact[], used: Set<number>): Item[] {
  const items: Item[] = []
  let lastEnd = -1
  for (let index = 0; index < facts.length; index += 1) {
    const found = itemAt(facts, index)
    if (found === undefined) continue
    const between = facts.slice(lastEnd, index)
    const isAlternative = items.length > 0 && between.length <= 2 && between.some(({ name }) => name === 'or')
    items.push({ ...found.item, isAlternative })
    for (let i = index; i < index + found.length; i += 1) used.add(i)
    index += found.length - 1
    lastEnd = index + 1
  }
  return items
}

function itemAt(
  facts: readonly Fact[],
  index: number,
): { item: Omit<Item, 'isAlternative'>; length: number } | undefined {
  const first = bedsAt(facts, index)
  if (first === undefined) return undefined
  // "2 camas dobles": the size follows the noun.
  const after = first.hasNoun && first.count !== undefined ? facts[index + first.length] : undefined
  if (after?.name === 'bed' && (first.size === 'any' || first.isPlain))
    return { item: { count: first.count, size: after.value }, length: first.length + 1 }
  return { item: { count: first.count, size: first.size }, length: first.length }
}

function bedsAt(facts: readonly Fact[], index: number) {
  const fact = facts[index]
  if (fact?.name === 'bed1' || fact?.name === 'bed2') {
    const hasNoun = fact.value === 'single' || isBed(facts[index + 1])
    const length = isBed(facts[index + 1]) ? 2 : 1
    return { count: Number(fact.name.slice(3)), size: fact.value, length, hasNoun, isPlain: fact.value === 'single' }
  }
  const count = fact?.name === 'num' ? Number(fact.value) : undefined
  const sizeIndex = count === undefined ? index : index + 1
  const size = readSize(facts[sizeIndex], facts[sizeIndex + 1])
  const noun = facts[size === undefined ? sizeIndex : sizeIndex + 1]
  const hasNoun = isBed(noun)
  const length = sizeIndex - index + (size === undefined ? 0 : 1) + (hasNoun ? 1 : 0)
  if (size === undefined)
    return count !== undefined && hasNoun ? { count, size: 'any', length, hasNoun, isPlain: true } : undefined
  const isFull = facts[sizeIndex]?.name === 'full'
  return { count: count ?? (isFull ? 1 : impliedCount(size, noun)), size, length, hasNoun, isPlain: false }
}

const isBed = (fact: Fact | undefined) => fact?.name === 'bedword' || fact?.name === 'bedswords'

/** "Full" is a double bed in America, except in "full sea view". */
function readSize(fact: Fact | undefined, next: Fact | undefined): string | undefined {
  if (fact?.name === 'bed') return fact.value
  if (fact?.name === 'full' && next?.name !== 'view' && next?.name !== 'viewof' && next?.name !== 'place')
    return 'double'
  return undefined
}

/** "Double bed" is one, "queen beds" are two, "twin bed room" has two; without "bed" it is a kind of room. */
function impliedCount(size: string, noun: Fact | undefined): number | undefined {
  if (noun?.name === 'bedswords') return 2
  if (noun?.name !== 'bedword') return undefined
  return size === 'twin' ? 2 : 1
}

function countedChoices(items: readonly Item[]): string[] {
  const alternatives: string[][] = []
  for (const { count = 1, size, isAlternative } of items) {
    const bed = `${count}${COUNTED[size] ?? size}`
    const last = alternatives.at(-1)
    if (last === undefined || isAlternative) alternatives.push([bed])
    else if (!last.includes(bed)) last.push(bed)
  }
  return eachOnce(alternatives.map((beds) => beds.sort().join('+')))
}

const COUNTED: Readonly<Record<string, string>> = { twin: 'single', marital: 'double' }

const BARE: Readonly<Record<string, string>> = {
  king: '1king',
  queen: '1queen',
  double: 'double',
  marital: 'marital',
  twin: '2single',
  bunk: '1bunk',
}

/** "Double" beside another size only means that two can sleep there; "double or twin" is a choice. */
function bareChoices(items: readonly Item[]): string[] {
  const sizes = items.map(({ size }) => size)
  const isTwin = sizes.includes('twin') && !items.some(({ isAlternative }) => isAlternative)
  const isSized = sizes.includes('king') || sizes.includes('queen') || sizes.includes('marital') || isTwin
  const specific = isSized ? sizes.filter((size) => size !== 'double') : sizes
  return eachOnce(specific.flatMap((size) => BARE[size] ?? []))
}

export const eachOnce = (texts: readonly string[]) => [...new Set(texts)].sort()

/** Each entry is one way to arrange the room, or all of them together. */
export function readBedList(lists: readonly (readonly Fact[])[]): Beds | undefined {
  const read = lists.map((facts) => readBeds(facts).beds)
  const each = read.flatMap(({ choices }) => choices)
  if (each.length === 0) return undefined
  const together =
    read.length > 1
      ? [
          each
            .flatMap((choice) => choice.split('+'))
            .sort()
            .join('+'),
        ]
      : []
  return {
    choices: eachOnce([...each, ...together]),
    chosenByGuest: each.length > 1,
    sofa: read.some(({ sofa }) => sofa),
  }
}

const SLEEPS: Readonly<Record<string, number>> = { king: 2, queen: 2, double: 2, single: 1, bunk: 2, any: 1 }

/** Number of sleepers in one alternative. */
export const sleepersIn = (choice: string): number =>
  UNMEASURED.has(choice)
    ? 2
    : choice.split('+').reduce((sum, bed) => sum + Number.parseInt(bed, 10) * (SLEEPS[bed.replace(/\d+/, '')] ?? 0), 0)

/** 0 if they differ; otherwise higher is more certain. */
export function compareBeds(a: Beds, b: Beds): number {
  if (a.choices.length === 0 || b.choices.length === 0) return a.choices.length === b.choices.length ? 2 : 1
  if (a.choices.join() === b.choices.join()) return 3
  const matching = (choices: readonly string[], others: readonly string[]) =>
    choices.filter((choice) => others.some((other) => isSameBed(choice, other)))
  const [inB, inA] = [matching(a.choices, b.choices), matching(b.choices, a.choices)]
  if (a.chosenByGuest || b.chosenByGuest) {
    // The choices of one side must include everything that the other side promises.
    const isIncluded =
      (a.chosenByGuest && inA.length === b.choices.length) || (b.chosenByGuest && inB.length === a.choices.length)
    return isIncluded || (a.chosenByGuest && b.chosenByGuest && inB.length > 0) ? 2 : 0
  }
  return inB.length === a.choices.length && inA.length === b.choices.length ? 2 : 0
}

const UNMEASURED = new Set(['double', 'marital'])
const LARGE = new Set(['1king', '1queen', '1double', ...UNMEASURED])

function isSameBed(a: string, b: string): boolean {
  if (a === b) return true
  if (UNMEASURED.has(a)) return LARGE.has(b)
  if (UNMEASURED.has(b)) return LARGE.has(a)
  const [unsized, other] = a.endsWith('any') ? [a, b] : [b, a]
  return unsized.endsWith('any') && bedsIn(unsized) === bedsIn(other)
}

const bedsIn = (choice: string) => choice.split('+').reduce((sum, bed) => sum + Number.parseInt(bed, 10), 0)
