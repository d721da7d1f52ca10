import { join } from 'node:path'
import type { Rolldown } from 'vite'

const SOURCE = join(import.meta.dirname, 'src')
/** Runs first; the build names its file after it. */
export const START = join(SOURCE, 'start.ts')
export const RESULTS = join(SOURCE, 'results/results-page.tsx')
export const PROPERTY = join(SOURCE, 'property/property-page.tsx')
const MAIN = join(SOURCE, 'main.tsx')
const FORM = join(SOURCE, 'search/search-form.tsx')

type Modules = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>

const reached = new Map<string, ReadonlySet<string>>()

/** A module with all that it loads at once. */
function listLoadedWith(entry: string, modules: Modules): ReadonlySet<string> {
  const known = reached.get(entry)
  if (known !== undefined) return known
  const found = new Set([entry])
  for (const id of found) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  reached.set(entry, found)
  return found
}

/**
 * Few files for the start and the list of results instead of one for each module that several pages share: a browser
 * requests six files at a time over HTTP/1.1, and each round delays the first card. No file contains code that one of
 * its pages does not need. Null leaves the choice to the build.
 */
export function chooseChunk(id: string, modules: Modules): string | null {
  const isLoadedWith = (entry: string) => listLoadedWith(entry, modules).has(id)
  if (isLoadedWith(START)) return 'start'
  if (isLoadedWith(MAIN)) return 'page'
  if (!isLoadedWith(RESULTS)) return null
  if (isLoadedWith(FORM)) return 'controls'
  return isLoadedWith(PROPERTY) ? 'stay' : 'results'
}
