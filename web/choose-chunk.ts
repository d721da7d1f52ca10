import { join } from 'node:path'
import type { Rolldown } from 'vite'

const SOURCE = join(import.meta.dirname, 'src')
/** Entry of the first file; the build names the file after it. */
export const START = join(SOURCE, 'start.ts')
export const RESULTS = join(SOURCE, 'results/results-page.tsx')
export const PROPERTY = join(SOURCE, 'property/property-page.tsx')
export const MAIN = join(SOURCE, 'main.tsx')
const FORM = join(SOURCE, 'search/search-form.tsx')

type Modules = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>

const reached = new Map<string, ReadonlySet<string>>()

/** Ids of a module and of its static imports, transitively. */
function listLoadedWith(entry: string, modules: Modules): ReadonlySet<string> {
  const known = reached.get(entry)
  if (known !== undefined) return known
  const found = new Set([entry])
  for (const id of found) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  reached.set(entry, found)
  return found
}

/**
 * Groups modules that the same pages load. One file for each shared module delays the first card, because browsers
 * request six files at a time over HTTP/1.1. Returns null for modules without a group.
 */
export function chooseChunk(id: string, modules: Modules): string | null {
  const isLoadedWith = (entry: string) => listLoadedWith(entry, modules).has(id)
  if (isLoadedWith(START)) return 'start'
  if (isLoadedWith(MAIN)) return 'page'
  if (!isLoadedWith(RESULTS)) return null
  // Form controls are too small for a file of their own.
  if (isLoadedWith(FORM)) return 'page'
  return isLoadedWith(PROPERTY) ? 'stay' : 'results'
}
