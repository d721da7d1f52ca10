import { type Drift, findDrift, LEARNED_MIN, type ShapeCounts } from './compare-shapes.ts'

export type ShapeSource = { readonly vendor: string; readonly operation: string }

type Deps = {
  /** Learned by earlier processes. */
  readonly learned?: readonly (ShapeSource & ShapeCounts)[]
  /** Called once for each drift. */
  onDrift(source: ShapeSource, drift: Drift): void
  /** One of so many responses is described once enough are known. */
  readonly sampleEvery?: number
}

type Watched = {
  readonly source: ShapeSource
  known: ShapeCounts
  /** The last responses in windows, newest last; not yet part of `known`. */
  recent: ShapeCounts[]
  readonly reported: Set<string>
  calls: number
  isChanged: boolean
}

export type ShapeWatch = ReturnType<typeof createShapeWatch>

/** Responses of a window. The newest is compared at once, which finds drift of frequent fields. */
const WINDOW = 30
/** All windows together are compared too, which finds drift of rare fields. */
const WINDOWS = 8
const SAMPLE_EVERY = 20
/** Halved then, so that recent responses count more than old ones. */
const RESPONSES_MAX = 4_000

const emptyCounts = (): ShapeCounts => ({ responses: 0, counts: new Map() })

/** Learns the shapes of vendors' responses, and reports when they change. */
export function createShapeWatch({ learned = [], onDrift, sampleEvery = SAMPLE_EVERY }: Deps) {
  const watched = new Map<string, Watched>()
  const find = (source: ShapeSource, known = emptyCounts()): Watched => {
    const name = `${source.vendor} ${source.operation}`
    const { vendor, operation } = source
    const found = watched.get(name) ?? {
      source: { vendor, operation },
      known,
      recent: [emptyCounts()],
      reported: new Set(),
      calls: 0,
      isChanged: false,
    }
    watched.set(name, found)
    return found
  }
  for (const { responses, counts, ...source } of learned) find(source, { responses, counts })

  return {
    /** Returns true if this response should be described. */
    isWanted(source: ShapeSource): boolean {
      const one = find(source)
      one.calls += 1
      return one.known.responses < LEARNED_MIN || one.calls % sampleEvery === 0
    },

    add(source: ShapeSource, shape: readonly string[]): void {
      const one = find(source)
      const window = one.recent.at(-1) ?? emptyCounts()
      window.responses += 1
      for (const key of shape) window.counts.set(key, (window.counts.get(key) ?? 0) + 1)
      if (window.responses < WINDOW) return
      for (const drift of compare(one)) onDrift(one.source, drift)
      if (one.recent.length === WINDOWS) one.known = merge(one.known, one.recent.shift() ?? emptyCounts())
      one.recent.push(emptyCounts())
      one.isChanged = true
    },

    /** Shapes that have changed since the last call. */
    takeChanged(): (ShapeSource & ShapeCounts)[] {
      const changed = [...watched.values()].filter(({ isChanged }) => isChanged)
      for (const one of changed) one.isChanged = false
      return changed.map(({ source, known, recent }) => ({ ...source, ...recent.reduce(merge, known) }))
    },
  }
}

/** Drift that has not been reported yet. */
function compare({ known, recent, reported }: Watched): Drift[] {
  const newest = recent.at(-1)
  if (known.responses < LEARNED_MIN || newest === undefined) return []
  const found = [...findDrift(known, newest), ...findDrift(known, recent.reduce(merge, emptyCounts()))]
  return found.filter(({ kind, path }) => {
    const name = `${kind} ${path}`
    const isNew = !reported.has(name)
    reported.add(name)
    return isNew
  })
}

function merge(known: ShapeCounts, recent: ShapeCounts): ShapeCounts {
  const weight = known.responses >= RESPONSES_MAX ? 0.5 : 1
  const counts = new Map([...known.counts].map(([key, count]) => [key, count * weight]))
  for (const [key, count] of recent.counts) counts.set(key, (counts.get(key) ?? 0) + count)
  return { responses: known.responses * weight + recent.responses, counts }
}
