import type { MatchFacts } from '../../src/catalogue/matching/match-traits.ts'

export type LabelledPair = readonly [a: string, b: string]

/** Records of several sources, and labels of pairs of them. */
export type LabelledSet = {
  readonly records: readonly MatchFacts[]
  readonly same: readonly LabelledPair[]
  readonly different: readonly LabelledPair[]
  /** One building under a new name: neither right nor wrong. */
  readonly renamed: readonly LabelledPair[]
}

const REQUIRED_FIELDS = ['vendor_id', 'vendor_property_id', 'name'] as const
const OPTIONAL_FIELDS = ['address', 'postal_code', 'city', 'country_code', 'phone', 'chain', 'category'] as const

/** Throws an error with the name of the invalid record or pair. */
export function readLabelledSet(json: string): LabelledSet {
  const { records, same, different, renamed = [] } = JSON.parse(json) as Record<string, unknown>
  if (!Array.isArray(records)) throw new Error('"records" must be a list.')
  const parsed = records.map(readRecord)
  const ids = new Set(parsed.map((record) => `${record.vendor_id}:${record.vendor_property_id}`))
  if (ids.size !== parsed.length) throw new Error('Two records have the same id.')
  return {
    records: parsed,
    same: readPairs('same', same, ids),
    different: readPairs('different', different, ids),
    renamed: readPairs('renamed', renamed, ids),
  }
}

function readRecord(record: Record<string, unknown>, index: number): MatchFacts {
  for (const field of REQUIRED_FIELDS) {
    if (typeof record[field] !== 'string' || record[field] === '') throw new Error(`records[${index}] has no ${field}.`)
  }
  for (const field of ['lat', 'lon']) {
    if (typeof record[field] !== 'number') throw new Error(`records[${index}].${field} must be a number.`)
  }
  const texts = OPTIONAL_FIELDS.map((field) => [field, typeof record[field] === 'string' ? record[field] : ''])
  const stars = typeof record.star_rating === 'number' ? record.star_rating : 0
  return { ...record, ...Object.fromEntries(texts), star_rating: stars } as MatchFacts
}

function readPairs(name: string, pairs: unknown, ids: ReadonlySet<string>): LabelledPair[] {
  if (!Array.isArray(pairs)) throw new Error(`"${name}" must be a list of pairs.`)
  for (const [index, pair] of pairs.entries()) {
    const known = Array.isArray(pair) && pair.length === 2 && pair.every((id) => ids.has(id))
    if (!known) throw new Error(`${name}[${index}] must be two ids of records.`)
  }
  return pairs
}
