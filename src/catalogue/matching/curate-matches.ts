import type { Clock } from '../../lib/time/clock.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { Tables } from '../../store/tables.ts'
import { createLinkMaker, type MakeLink, mergeInto, readVendorRefs, splitOff } from '../properties/move-properties.ts'
import { decodeRefs } from '../properties/stored-content.ts'
import { refKey, rowKey } from '../properties/vendor-key.ts'
import type { CatalogueReader, CatalogueStore, CatalogueWriter, VendorRef } from '../store/catalogue.ts'
import type { MatchRow } from '../store/columns.ts'
import { compareTraits, type Evidence, oddsToScore } from './compare-traits.ts'
import { sortPair } from './manual-matches.ts'
import { getMatchTraits } from './match-traits.ts'
import { weighLocally } from './names/local-words.ts'
import { matchCellsAround } from './pair-neighbours.ts'

export type LinkExplained = {
  readonly ref: VendorRef
  readonly name: string
  /** `founder`: the first record of the property. */
  readonly decidedBy: 'founder' | 'auto' | 'operator'
  readonly score: number
  readonly evidence: readonly Evidence[]
}

export type Explanation = {
  readonly propertyId: string
  readonly mergedInto: string | undefined
  readonly links: readonly LinkExplained[]
  /** Most similar neighbours that are separate properties. */
  readonly lookAlikes: readonly {
    readonly propertyId: string
    readonly name: string
    readonly score: number
    readonly evidence: readonly Evidence[]
  }[]
}

/** Returned, not thrown, so that operators read a sentence instead of a stack trace. */
export type Refused = { readonly ok: false; readonly why: string }
export type Curated = { readonly ok: true; readonly propertyId: string } | Refused

export type DecisionNote = { readonly by: string | null; readonly reason: string | null }
export const NO_NOTE: DecisionNote = { by: null, reason: null }
type Decision = DecisionNote & { readonly at: number }

const LOOK_ALIKES_MAX = 5
const POSTPONED_MS = 30 * DAY_MS

/** Operators' decisions on matches, which no later sync changes. */
export function createCurateMatches({ store, clock }: { store: CatalogueStore; clock: Clock }) {
  return {
    /** Gives one vendor's record its own property; the others keep theirs. */
    split: (propertyId: string, ref: VendorRef, note: DecisionNote = NO_NOTE): Promise<Curated> =>
      store.write((writer) => split(writer, propertyId, ref, { ...note, at: clock.now() })),

    /** Merges two properties: `keep` keeps its id, `gone` redirects to it. */
    join: (keep: string, gone: string, note: DecisionNote = NO_NOTE): Promise<Curated> =>
      store.write((writer) => join(writer, keep, gone, { ...note, at: clock.now() })),

    /** Prevents matching from ever joining two properties. */
    keepSeparate: (one: string, other: string, note: DecisionNote = NO_NOTE): Promise<Curated> =>
      store.write((writer) => keepSeparate(writer, one, other, { ...note, at: clock.now() })),

    /** Makes the match of one vendor's record permanent. */
    confirm: (propertyId: string, ref: VendorRef, note: DecisionNote = NO_NOTE): Promise<Curated> =>
      store.write((writer) => confirm(writer, propertyId, ref, { ...note, at: clock.now() })),

    /** Hides two properties from the list of near matches for a month. */
    postpone: (one: string, other: string): Promise<Curated> =>
      store.write((writer) => postpone(writer, one, other, clock.now() + POSTPONED_MS)),

    explain: (propertyId: string): Promise<Explanation | undefined> => explain(store, propertyId),
  }
}

async function split(
  writer: CatalogueWriter,
  propertyId: string,
  ref: VendorRef,
  decision: Decision,
): Promise<Curated> {
  const found = await readOthers(writer, propertyId, ref)
  if (!found.ok) return found
  await writer.putPins(found.others.map((other) => pinRow(ref, other, 'split', decision)))
  const fresh = await splitOff(writer, { propertyId, ref, rest: found.rest }, operatorLink(decision.at))
  return { ok: true, propertyId: fresh }
}

async function confirm(
  writer: CatalogueWriter,
  propertyId: string,
  ref: VendorRef,
  decision: Decision,
): Promise<Curated> {
  const found = await readOthers(writer, propertyId, ref)
  if (!found.ok) return found
  await writer.putPins(found.others.map((other) => pinRow(ref, other, 'join', decision)))
  // The founding record has no link; its pins alone keep it.
  const own = (await writer.links(propertyId)).filter((link) => rowKey(link) === refKey(ref))
  await writer.putLinks(own.map((link) => ({ ...link, decided_by: 'operator', decided_at: decision.at })))
  return { ok: true, propertyId }
}

type Others =
  | { readonly ok: true; readonly rest: readonly VendorRef[]; readonly others: readonly VendorRef[] }
  | Refused

/** The other records of a property: those that are sold (`rest`), and all of them. */
async function readOthers(writer: CatalogueWriter, propertyId: string, ref: VendorRef): Promise<Others> {
  const [row] = await writer.properties([propertyId])
  if (row === undefined) return refused(`There is no property ${propertyId}.`)
  if (row.merged_into !== null) return refused(alreadyJoined(row))
  const refs = decodeRefs(row.vendors)
  const isOther = (other: VendorRef) => refKey(other) !== refKey(ref)
  const rest = refs.filter(isOther)
  if (rest.length === refs.length) return refused(`${propertyId} has no ${refKey(ref)}.`)
  if (rest.length === 0)
    return refused(`${refKey(ref)} is the only record of ${propertyId}, so there is nothing to decide.`)
  return { ok: true, rest, others: (await readVendorRefs(writer, propertyId)).filter(isOther) }
}

async function postpone(writer: CatalogueWriter, one: string, other: string, until: number): Promise<Curated> {
  const found = await readTwo(writer, one, other)
  if (!found.ok) return found
  const pins = await pinsBetween(writer, found.rows, 'split', { ...NO_NOTE, at: 0 })
  await writer.postpone(pins.map(({ a, b }) => ({ a, b, until })))
  return { ok: true, propertyId: one }
}

async function join(writer: CatalogueWriter, keep: string, gone: string, decision: Decision): Promise<Curated> {
  const found = await readTwo(writer, keep, gone)
  if (!found.ok) return found
  await writer.putPins(await pinsBetween(writer, found.rows, 'join', decision))
  await mergeInto(writer, ...found.rows, operatorLink(decision.at))
  return { ok: true, propertyId: keep }
}

async function keepSeparate(writer: CatalogueWriter, one: string, other: string, decision: Decision): Promise<Curated> {
  const found = await readTwo(writer, one, other)
  if (!found.ok) return found
  await writer.putPins(await pinsBetween(writer, found.rows, 'split', decision))
  return { ok: true, propertyId: one }
}

type Two = { readonly ok: true; readonly rows: readonly [Tables['properties'], Tables['properties']] }

async function readTwo(writer: CatalogueWriter, one: string, other: string): Promise<Two | Refused> {
  if (one === other) return refused('They are already one property. To separate them, split one of its records off.')
  const rows = await writer.properties([one, other])
  const first = rows.find((row) => row.property_id === one)
  const second = rows.find((row) => row.property_id === other)
  if (first === undefined || second === undefined)
    return refused(`There is no property ${first === undefined ? one : other}.`)
  const retired = [first, second].find((row) => row.merged_into !== null)
  if (retired !== undefined) return refused(alreadyJoined(retired))
  return { ok: true, rows: [first, second] }
}

async function pinsBetween(
  writer: CatalogueWriter,
  [first, second]: Two['rows'],
  kind: Tables['property_pins']['kind'],
  decision: Decision,
): Promise<Tables['property_pins'][]> {
  const others = await readVendorRefs(writer, first.property_id)
  const refs = await readVendorRefs(writer, second.property_id)
  return refs.flatMap((ref) => others.map((other) => pinRow(ref, other, kind, decision)))
}

async function explain(store: CatalogueReader, propertyId: string): Promise<Explanation | undefined> {
  const [row] = await store.properties([propertyId])
  if (row === undefined) return undefined
  const members = await store.forProperties([propertyId])
  const links = new Map((await store.links(propertyId)).map((link) => [rowKey(link), link]))
  return {
    propertyId,
    mergedInto: row.merged_into ?? undefined,
    links: members.map((member) => {
      const link = links.get(rowKey(member))
      return {
        ref: { vendorId: member.vendor_id, vendorPropertyId: member.vendor_property_id },
        name: member.name,
        decidedBy: link === undefined ? 'founder' : link.decided_by === 'operator' ? 'operator' : 'auto',
        score: link?.score ?? 1,
        evidence: link === undefined ? [] : (JSON.parse(link.evidence).evidence ?? []),
      }
    }),
    lookAlikes: await findLookAlikes(store, propertyId, members),
  }
}

async function findLookAlikes(store: CatalogueReader, propertyId: string, members: readonly MatchRow[]) {
  const neighbours = await store.inCells([...new Set(members.flatMap((member) => matchCellsAround(member)))])
  const traits = members.map(getMatchTraits)
  const around = neighbours.map((row) => ({ row, traits: getMatchTraits(row) }))
  const weighWords = weighLocally(around)
  const best = new Map<string, Explanation['lookAlikes'][number]>()
  for (const { row, traits: other } of around) {
    if (row.property_id === propertyId) continue
    for (const own of traits) {
      const comparison = compareTraits(own, other, weighWords)
      if (comparison === undefined) continue
      const found = {
        propertyId: row.property_id,
        name: row.name,
        score: oddsToScore(comparison.odds),
        evidence: comparison.evidence,
      }
      if (found.score > (best.get(row.property_id)?.score ?? 0)) best.set(row.property_id, found)
    }
  }
  return [...best.values()].sort((a, b) => b.score - a.score).slice(0, LOOK_ALIKES_MAX)
}

function pinRow(
  a: VendorRef,
  b: VendorRef,
  kind: Tables['property_pins']['kind'],
  { at, by, reason }: Decision,
): Tables['property_pins'] {
  const [first, second] = sortPair(refKey(a), refKey(b))
  return { a: first, b: second, kind, decided_at: at, decided_by: by, reason }
}

const operatorLink = (now: number): MakeLink =>
  createLinkMaker({
    decided_by: 'operator',
    decided_at: now,
    evidence: { evidence: [{ fact: 'decided by an operator', weight: 0 }] },
  })

const alreadyJoined = (row: Tables['properties']) => `${row.property_id} was joined to ${row.merged_into}. Use that id.`
export const refused = (why: string): Refused => ({ ok: false, why })
