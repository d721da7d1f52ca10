import { useEffect, useSyncExternalStore } from 'react'
import { fetchSavedResults, runSearch } from '../api/operations.ts'
import { ApiProblem, SignInDeclined } from '../api/problem.ts'
import type { PageConfig, SearchBody, Summary, VendorReport } from '../api/shapes.ts'
import { createListeners } from '../browser/listeners.ts'
import { onSessionEnd } from '../session/session.ts'
import { convertSummary } from './convert-summary.ts'
import { isSameSearch } from './search-body.ts'
import { readFacts, type SearchFacts, writeFacts } from './search-facts.ts'

export type SearchRun = {
  readonly status: 'running' | 'done' | 'failed' | 'signed_out'
  readonly found: ReadonlyMap<string, Summary>
  /** Time of the first results, by `performance.now()`. */
  readonly firstFoundAt: number | undefined
  readonly vendors: readonly VendorReport[]
  /** Place and dates; known for a restored search only if this tab made it. */
  readonly facts: SearchFacts | undefined
  readonly searchId: string | undefined
  readonly problem: ApiProblem | undefined
  /** Day of the exchange rates, if the page converted all prices. */
  readonly ratesDate?: string
}

const BLANK_RUN: SearchRun = {
  status: 'running',
  found: new Map(),
  firstFoundAt: undefined,
  vendors: [],
  facts: undefined,
  searchId: undefined,
  problem: undefined,
}
const MAX_RUNS = 4
const NOTIFY_MS = 120

type Entry = {
  run: SearchRun
  /** By this device's clock, which may differ from the service's. */
  readonly begunAt: number
  readonly abort: AbortController
  timer: ReturnType<typeof setTimeout> | undefined
  /** True once a page has shown it: a failure before is new to the visitor. */
  wasShown: boolean
  /** Search whose prices were converted. */
  readonly original?: Entry
}

/** Kept when the page is left, so that the back button finds the list unchanged. */
const entries = new Map<string, Entry>()
const listeners = createListeners()
onSessionEnd(clearRuns)

/** Runs or restores the search, unless it is running or its results are still valid. */
export function startSearch(key: string, body: SearchBody, searchId: string | undefined): void {
  const entry = entries.get(key)
  const status = entry?.run.status
  if (entry === undefined || status === 'failed' || status === 'signed_out') startEntry(key, body, searchId)
  else if (status === 'done' && isExpired(entry)) startEntry(key, body, undefined)
}

function isExpired({ run: { facts }, begunAt }: Entry): boolean {
  if (facts === undefined) return false
  const lifeMs = Date.parse(facts.expires_at) - Date.parse(facts.created_at)
  return Date.now() - begunAt > lifeMs
}

function clearRuns(): void {
  for (const { abort } of entries.values()) abort.abort()
  entries.clear()
  listeners.notify()
}

export function useSearchRun(key: string, body: SearchBody, searchId: string | undefined): SearchRun {
  useEffect(() => showSearch(key, body, searchId), [key, body, searchId])
  return useSyncExternalStore(listeners.subscribe, () => entries.get(key)?.run ?? BLANK_RUN)
}

/** A linked search that failed before its page was shown is not repeated: the page shows the failure. */
function showSearch(key: string, body: SearchBody, searchId: string | undefined): void {
  const started = entries.get(key)
  if (started === undefined || started.wasShown) startSearch(key, body, searchId)
  const shown = entries.get(key)
  if (shown !== undefined) shown.wasShown = true
}

export function searchAgain(key: string, body: SearchBody): void {
  startEntry(key, body, undefined)
}

/** Facts of a search known in this tab; the property page shows its place and guests. */
export function findFacts(searchId: string): SearchFacts | undefined {
  for (const { run } of entries.values()) if (run.searchId === searchId) return run.facts
  return readFacts(searchId)
}

/** Newest card of a property in a list of this tab, if it has this currency. */
export function findCard(propertyId: string, currency: string): Summary | undefined {
  const cards = [...entries.values()].map(({ run }) => run.found.get(propertyId))
  return cards.findLast((card) => card?.currency === currency)
}

function startEntry(key: string, body: SearchBody, searchId: string | undefined): void {
  const before = entries.get(key)
  before?.abort.abort()
  // Removed first, so that it becomes the newest entry.
  entries.delete(key)
  const entry: Entry = {
    run: BLANK_RUN,
    begunAt: Date.now(),
    abort: new AbortController(),
    timer: undefined,
    wasShown: before?.wasShown === true,
  }
  entries.set(key, entry)
  dropOldEntries()
  const work = searchId === undefined ? runEntry(entry, body) : restoreEntry(entry, body, searchId)
  work.catch((error: unknown) => failEntry(entry, error))
  listeners.notify()
}

function dropOldEntries(): void {
  for (const old of [...entries.keys()].slice(0, -MAX_RUNS)) {
    entries.get(old)?.abort.abort()
    entries.delete(old)
  }
}

type Rates = PageConfig['exchange_rates']

/** Shows the results of one search under another key, in its currency. Returns false if they must be searched for again. */
export function convertRun(key: string, nextKey: string, currency: string, { date, rates }: Rates): boolean {
  const shown = entries.get(key)
  const original = shown?.original ?? shown
  if (entries.has(nextKey)) return true
  if (original?.run.status !== 'done' || isExpired(original)) return false
  const found = new Map<string, Summary>()
  for (const [id, property] of original.run.found) {
    const converted = convertSummary(property, currency, rates)
    if (converted === undefined) return false
    found.set(id, converted)
  }
  const run = { ...original.run, found, searchId: undefined, ratesDate: date }
  entries.set(nextKey, { ...original, run, original })
  dropOldEntries()
  listeners.notify()
  return true
}

async function runEntry(entry: Entry, body: SearchBody): Promise<void> {
  const result = await runSearch(
    body,
    {
      onVendor: (report) => updateEntry(entry, { vendors: [...entry.run.vendors, report] }),
      onProperties: (found) => updateEntry(entry, { found: mergeFound(entry.run.found, found) }),
    },
    entry.abort.signal,
  )
  const { availability, ...facts } = result
  writeFacts(facts)
  const found = new Map(availability.map((property) => [property.property_id, property]))
  updateEntry(entry, { status: 'done', found, facts, vendors: facts.vendors, searchId: facts.search_id })
}

/** Searches again if the linked search has expired, belongs to another account or has other terms. */
async function restoreEntry(entry: Entry, body: SearchBody, searchId: string): Promise<void> {
  try {
    const { found: saved, search } = await fetchSavedResults(searchId)
    if (search === undefined || !isSameSearch(search, body)) return await runEntry(entry, body)
    // The tab's own facts include warnings.
    const facts = readFacts(searchId) ?? search
    const found = new Map(saved.map((property) => [property.property_id, property]))
    updateEntry(entry, { status: 'done', found, facts, vendors: facts.vendors, searchId })
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 404) throw error
    await runEntry(entry, body)
  }
}

function mergeFound(found: ReadonlyMap<string, Summary>, more: readonly Summary[]): ReadonlyMap<string, Summary> {
  const merged = new Map(found)
  for (const property of more) merged.set(property.property_id, property)
  return merged
}

function failEntry(entry: Entry, error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return
  if (error instanceof SignInDeclined) updateEntry(entry, { status: 'signed_out' })
  else updateEntry(entry, { status: 'failed', problem: toProblem(error) })
}

const toProblem = (error: unknown): ApiProblem =>
  error instanceof ApiProblem ? error : new ApiProblem(0, { code: 'unreachable', detail: String(error) })

/** Batches updates; the first results and the end are published at once. */
function updateEntry(entry: Entry, change: Partial<SearchRun>): void {
  const isFirst = entry.run.found.size === 0 && (change.found?.size ?? 0) > 0
  entry.run = { ...entry.run, ...change, ...(isFirst && { firstFoundAt: performance.now() }) }
  if (entry.run.status !== 'running' || isFirst) {
    clearTimeout(entry.timer)
    entry.timer = undefined
    listeners.notify()
    return
  }
  if (entry.timer !== undefined) return
  entry.timer = setTimeout(() => {
    entry.timer = undefined
    listeners.notify()
  }, NOTIFY_MS)
}
