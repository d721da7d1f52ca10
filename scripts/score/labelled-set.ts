import type { MatchFacts } from '../../src/catalogue/matching/match-traits.ts'

export type LabelledPair = readonly [a: string, b: string]

/** Records of several sources and what is known about pairs of them. */
export type LabelledSet = {
  readonly records: readonly MatchFacts[]
  readonly same: readonly LabelledPair[]
  readonly different: readonly LabelledPair[]
  /** One building under a new name: neither right nor wrong. */
  readonly renamed: readonly LabelledPair[]
}

const TEXTS = ['vendor_id', 'vendor_property_id', 'name'] as const
const TEXTS_OR_EMPTY = ['address', 'postal_code', 'city', 'country_code', 'phone', 'chain', 'category'] as const

/** Throws an error that names the record or pair at fault. */
export function readLabelledSet(json: string): LabelledSet {
  const { records, same, different, renamed = [] } = JSON.parse(json) as Record<string, unknown>
  if (!Array.isArray(records)) throw new Error('"records" must be a list.')
  const read = records.map(recordOf)
  const ids = new Set(read.map((record) => `${record.vendor_id}:${record.vendor_property_id}`))
  if (ids.size !== read.length) throw new Error('Two records have the same id.')
  return {
    records: read,
    same: pairsOf('same', same, ids),
    different: pairsOf('different', different, ids),
    renamed: pairsOf('renamed', renamed, ids),
  }
}

function recordOf(record: Record<string, unknown>, at: number): MatchFacts {
  for (const field of TEXTS) {
    if (typeof record[field] !== 'string' || record[field] === '') throw new Error(`records[${at}] has no ${field}.`)
  }
  for (const field of ['lat', 'lon']) {
    if (typeof record[field] !== 'number') throw new Error(`records[${at}].${field} must be a number.`)
  }
  const texts = TEXTS_OR_EMPTY.map((field) => [field, typeof record[field] === 'string' ? record[field] : ''])
  const stars = typeof record.star_rating === 'number' ? record.star_rating : 0
  return { ...record, ...Object.fromEntries(texts), star_rating: stars } as MatchFacts
}

function pairsOf(name: string, pairs: unknown, ids: ReadonlySet<string>): LabelledPair[] {
  if (!Array.isArray(pairs)) throw new Error(`"${name}" must be a list of pairs.`)
  for (const [at, pair] of pairs.entries()) {
    const known = Array.isArray(pair) && pair.length === 2 && pair.every((id) => ids.has(id))
    if (!known) throw new Error(`${name}[${at}] must be two ids of records.`)
  }
  return pairs
}
