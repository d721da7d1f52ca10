import { type Clock, monotonicMs } from '../../lib/time/clock.ts'
import type { Tables } from '../../store/tables.ts'
import { areKeptSeparate, createLinkMaker, type MakeLink, mergeInto, splitOff } from '../properties/move-properties.ts'
import { toNearRows, toTwinRow } from '../properties/place-properties.ts'
import { decodeRefs } from '../properties/stored-content.ts'
import { refKey } from '../properties/vendor-key.ts'
import type { CatalogueStore, CatalogueWriter } from '../store/catalogue.ts'
import type { MatchProgressStore } from '../store/match-progress.ts'
import type { Group, MatchNode } from './assign-matches.ts'
import { oddsToScore } from './compare-traits.ts'
import { type CellJudged, judgeCell } from './judge-cell.ts'
import { pinsAmong } from './manual-matches.ts'
import { MATCH_RULES } from './match-properties.ts'

type RejudgeProgress = Pick<Tables['match_progress'], 'joined' | 'split'> & { readonly isDone: boolean }

type Deps = { readonly store: CatalogueStore; readonly progress: MatchProgressStore; readonly clock: Clock }

const CELLS_AT_ONCE = 200
/** A slice ends after this time, so that shutdown does not wait for the whole catalogue. */
const SLICE_MS = 1_000
/** Lease duration; another process takes over if this one dies. */
const LEASE_MS = 60_000

/** Judges all links again, cell by cell, after the matching rules have changed. Slices are idempotent; one process works at a time. */
export function createRejudge({ store, progress, clock }: Deps) {
  async function judge(cell: number): Promise<{ joined: number; split: number }> {
    const judged = await judgeCell(store, cell)
    const now = clock.now()
    let split = 0
    let joined = 0
    for (const entry of judged.splits) if (await store.write((writer) => leave(writer, entry, now))) split += 1
    for (const group of judged.joins) joined += await store.write((writer) => unite(writer, group, judged.nodes, now))
    const twins = judged.twins.flatMap((group) => toTwinRows(group, judged, now))
    const near = judged.near.flatMap((pair) => toNearRows(pair, judged.nodes, now))
    if (twins.length + near.length > 0)
      await store.write(async (writer) => {
        await writer.putTwins(twins)
        await writer.putNearMatches(near)
      })
    return { joined, split }
  }

  return {
    /** Runs one slice; undefined if nothing is left or another process has the lease. */
    async slice(): Promise<RejudgeProgress | undefined> {
      const before = await progress.read()
      if (before !== undefined && before.rules >= MATCH_RULES && before.finished_at !== null) return undefined
      const claimed = await progress.claim(MATCH_RULES, clock.now(), LEASE_MS)
      if (claimed === undefined) return undefined
      let { row } = claimed
      const until = monotonicMs() + SLICE_MS
      const cells = await store.cellsAfter(row.after_cell, CELLS_AT_ONCE)
      let done = 0
      for (const cell of cells) {
        const { joined, split } = await judge(cell)
        row = { ...row, after_cell: cell, joined: row.joined + joined, split: row.split + split }
        done += 1
        if (monotonicMs() > until) break
      }
      const isDone = done === cells.length && cells.length < CELLS_AT_ONCE
      const saved = { ...row, finished_at: isDone ? clock.now() : null }
      return (await progress.save({ ...claimed, row: saved }, clock.now()))
        ? { joined: row.joined, split: row.split, isDone }
        : undefined
    },
    startAgain: progress.startAgain,
  }
}

/** Splits a vendor property off, if it still shares its property. */
async function leave(writer: CatalogueWriter, { propertyId, ref }: CellJudged['splits'][number], now: number) {
  const [row] = await writer.properties([propertyId])
  const refs = row === undefined ? [] : decodeRefs(row.vendors)
  const rest = refs.filter((other) => refKey(other) !== refKey(ref))
  if (rest.length === 0 || rest.length === refs.length) return false
  // An operator may have confirmed the match since it was judged.
  const findPin = await pinsAmong(writer, refs.map(refKey))
  if (rest.some((other) => findPin?.(refKey(ref), refKey(other)) === 'join')) return false
  const fact = 'the matching rules have changed'
  await splitOff(writer, { propertyId, ref, rest }, autoLink(now, 0, { evidence: [{ fact, weight: 0 }] }))
  return true
}

/** Joins the group's properties that still exist; returns the number of merged ones. */
async function unite(writer: CatalogueWriter, group: Group, nodes: readonly MatchNode[], now: number): Promise<number> {
  const ids = [...new Set([group.propertyId, ...group.merged].filter((id) => id !== undefined))]
  const rows = (await writer.properties(ids)).filter((row) => row.merged_into === null).sort(byVendorsThenId)
  const [kept, ...others] = rows
  if (kept === undefined) return 0
  let [current, gone] = [kept, 0]
  for (const going of others) {
    const [here, coming] = [decodeRefs(current.vendors), decodeRefs(going.vendors)]
    if (coming.some((ref) => here.some(({ vendorId }) => vendorId === ref.vendorId))) continue
    if (await areKeptSeparate(writer, current.property_id, going.property_id)) continue
    const pair = group.because.find(({ a, b }) =>
      coming.some((ref) => refKey(ref) === nodes[a]?.traits.key || refKey(ref) === nodes[b]?.traits.key),
    )
    const evidence = { odds: pair?.odds, evidence: pair?.evidence ?? [] }
    await mergeInto(writer, current, going, autoLink(now, oddsToScore(pair?.odds ?? 0), evidence))
    current = (await writer.properties([current.property_id]))[0] ?? current
    gone += 1
  }
  return gone
}

/** The property with more vendors keeps its id. */
const byVendorsThenId = (a: Tables['properties'], b: Tables['properties']): number =>
  decodeRefs(b.vendors).length - decodeRefs(a.vendors).length || (a.property_id < b.property_id ? -1 : 1)

const toTwinRows = (group: Group, { nodes }: CellJudged, now: number) =>
  group.twins.map((number) => toTwinRow(nodes[number], group.propertyId ?? '', now))

const autoLink = (now: number, score: number, evidence: object): MakeLink =>
  createLinkMaker({ decided_by: 'auto', decided_at: now, score, evidence })
