import { useEffect, useSyncExternalStore } from 'react'
import { savedResults, streamSearch } from '../api/operations.ts'
import { ApiProblem, SignInDeclined } from '../api/problem.ts'
import type { SearchBody, Summary, VendorReport } from '../api/shapes.ts'
import { createListeners } from '../browser/listeners.ts'
import { onSessionEnd } from '../session/session.ts'
import { isSameStay } from './search-body.ts'
import { readFacts, type SearchFacts, writeFacts } from './search-facts.ts'

export type SearchRun = {
  readonly status: 'running' | 'done' | 'failed' | 'signed_out'
  readonly found: ReadonlyMap<string, Summary>
  readonly vendors: readonly VendorReport[]
  /** The search itself (place, dates); known for a restored search only if this tab made it. */
  readonly facts: SearchFacts | undefined
  readonly searchId: string | undefined
  readonly problem: ApiProblem | undefined
}

const BLANK: SearchRun = {
  status: 'running',
  found: new Map(),
  vendors: [],
  facts: undefined,
  searchId: undefined,
  problem: undefined,
}
const KEPT = 4
const NOTIFY_MS = 120

type Entry = {
  run: SearchRun
  /** By this device's clock, which need not agree with the service's. */
  readonly begunAt: number
  readonly abort: AbortController
  timer: ReturnType<typeof setTimeout> | undefined
}

/** Searches are kept when their page is left, so that the back button finds the list unchanged. */
const entries = new Map<string, Entry>()
const listeners = createListeners()
onSessionEnd(forgetRuns)

/** Runs the search, or restores it by its id, unless it is running, or done and its prices still count. */
export function startSearch(key: string, body: SearchBody, searchId: string | undefined): void {
  const entry = entries.get(key)
  const status = entry?.run.status
  if (entry === undefined || status === 'failed' || status === 'signed_out') begin(key, body, searchId)
  else if (status === 'done' && isExpired(entry)) begin(key, body, undefined)
}

function isExpired({ run: { facts }, begunAt }: Entry): boolean {
  if (facts === undefined) return false
  const lifeMs = Date.parse(facts.expires_at) - Date.parse(facts.created_at)
  return Date.now() - begunAt > lifeMs
}

function forgetRuns(): void {
  for (const { abort } of entries.values()) abort.abort()
  entries.clear()
  listeners.tell()
}

export function useSearchRun(key: string, body: SearchBody, searchId: string | undefined): SearchRun {
  useEffect(() => startSearch(key, body, searchId), [key, body, searchId])
  return useSyncExternalStore(listeners.subscribe, () => entries.get(key)?.run ?? BLANK)
}

export function searchAgain(key: string, body: SearchBody): void {
  begin(key, body, undefined)
}

/** What this tab knows of a search; the property page shows its place and guests. */
export function knownFacts(searchId: string): SearchFacts | undefined {
  for (const { run } of entries.values()) if (run.searchId === searchId) return run.facts
  return readFacts(searchId)
}

function begin(key: string, body: SearchBody, searchId: string | undefined): void {
  entries.get(key)?.abort.abort()
  // Removed first: the oldest are forgotten, and this is the newest.
  entries.delete(key)
  const entry: Entry = { run: BLANK, begunAt: Date.now(), abort: new AbortController(), timer: undefined }
  entries.set(key, entry)
  for (const old of [...entries.keys()].slice(0, -KEPT)) {
    entries.get(old)?.abort.abort()
    entries.delete(old)
  }
  const work = searchId === undefined ? run(entry, body) : restore(entry, body, searchId)
  work.catch((error: unknown) => fail(entry, error))
  listeners.tell()
}

async function run(entry: Entry, body: SearchBody): Promise<void> {
  const result = await streamSearch(
    body,
    {
      onVendor: (report) => update(entry, { vendors: [...entry.run.vendors, report] }),
      onProperties: (found) => update(entry, { found: mergeFound(entry.run.found, found) }),
    },
    entry.abort.signal,
  )
  const { availability, ...facts } = result
  writeFacts(facts)
  const found = new Map(availability.map((property) => [property.property_id, property]))
  update(entry, { status: 'done', found, facts, vendors: facts.vendors, searchId: facts.search_id })
}

/** If the linked search has expired, belongs to another account or is for another stay, search again with the link's dates and place. */
async function restore(entry: Entry, body: SearchBody, searchId: string): Promise<void> {
  try {
    const { found: saved, search } = await savedResults(searchId)
    if (search === undefined || !isSameStay(search, body)) return await run(entry, body)
    // This tab's own facts have the warnings too.
    const facts = readFacts(searchId) ?? search
    const found = new Map(saved.map((property) => [property.property_id, property]))
    update(entry, { status: 'done', found, facts, vendors: facts.vendors, searchId })
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 404) throw error
    await run(entry, body)
  }
}

function mergeFound(found: ReadonlyMap<string, Summary>, more: readonly Summary[]): ReadonlyMap<string, Summary> {
  const merged = new Map(found)
  for (const property of more) merged.set(property.property_id, property)
  return merged
}

function fail(entry: Entry, error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return
  if (error instanceof SignInDeclined) update(entry, { status: 'signed_out' })
  else update(entry, { status: 'failed', problem: asProblem(error) })
}

const asProblem = (error: unknown): ApiProblem =>
  error instanceof ApiProblem ? error : new ApiProblem(0, { code: 'unreachable', detail: String(error) })

/** Several events in a short time cause one update of the page; the first results and the end are shown at once. */
function update(entry: Entry, change: Partial<SearchRun>): void {
  const isFirst = entry.run.found.size === 0 && change.found !== undefined
  entry.run = { ...entry.run, ...change }
  if (entry.run.status !== 'running' || isFirst) {
    clearTimeout(entry.timer)
    entry.timer = undefined
    listeners.tell()
    return
  }
  if (entry.timer !== undefined) return
  entry.timer = setTimeout(() => {
    entry.timer = undefined
    listeners.tell()
  }, NOTIFY_MS)
}
