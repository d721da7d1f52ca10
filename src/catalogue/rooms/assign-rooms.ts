/** `a` and `b` are numbers of the two sides; a pair without an edge never matches. */
export type Edge = { readonly a: number; readonly b: number; readonly score: number }

/** Required advantage of the best assignment over any without the edge. */
const MARGIN = 0.25

/** Best one-to-one assignment, without ambiguous edges: if two rooms fit a third equally well, neither gets it. */
export function assignRooms(edges: readonly Edge[]): Edge[] {
  return connectedParts(edges).flatMap((part) => {
    const best = bestAssignment(part)
    const total = sumScores(best)
    return best.filter((edge) => {
      const without = part.length === 1 ? 0 : sumScores(bestAssignment(part.filter((other) => other !== edge)))
      return total - without > MARGIN
    })
  })
}

const sumScores = (edges: readonly Edge[]) => edges.reduce((sum, { score }) => sum + score, 0)

function connectedParts(edges: readonly Edge[]): Edge[][] {
  const byA = Map.groupBy(edges, ({ a }) => a)
  const byB = Map.groupBy(edges, ({ b }) => b)
  const seen = new Set<Edge>()
  return edges.flatMap((start) => {
    if (seen.has(start)) return []
    seen.add(start)
    const part = [start]
    for (const edge of part) {
      for (const next of [...(byA.get(edge.a) ?? []), ...(byB.get(edge.b) ?? [])]) {
        if (seen.has(next)) continue
        seen.add(next)
        part.push(next)
      }
    }
    return [part]
  })
}

/** Repeatedly augments along the path with the highest gain (Bellman–Ford on few nodes). */
export function bestAssignment(edges: readonly Edge[]): Edge[] {
  const assigned = new Map<number, Edge>()
  for (;;) {
    const path = bestPath(edges, assigned)
    if (path === undefined) return [...assigned.values()]
    for (const edge of path) assigned.set(edge.a, edge)
  }
}

/** Augmenting path from a free `a` to a free `b` with the highest gain; undefined if none gains. */
function bestPath(edges: readonly Edge[], assigned: ReadonlyMap<number, Edge>): Edge[] | undefined {
  const takenBy = new Map([...assigned.values()].map((edge) => [edge.b, edge]))
  const gains = new Map<number, { gain: number; path: Edge[] }>()
  const startAt = (a: number) => (assigned.has(a) ? undefined : { gain: 0, path: [] })
  // `gains`: best path that ends at each `b`.
  for (let round = 0; round <= assigned.size; round += 1) {
    let changed = false
    for (const edge of edges) {
      const own = assigned.get(edge.a)
      if (own?.b === edge.b) continue
      const before = startAt(edge.a) ?? (own && gains.get(own.b))
      if (before === undefined) continue
      const gain = before.gain + edge.score - (own?.score ?? 0)
      if (gain <= (gains.get(edge.b)?.gain ?? Number.NEGATIVE_INFINITY) + 1e-9) continue
      gains.set(edge.b, { gain, path: [...before.path, edge] })
      changed = true
    }
    if (!changed) break
  }
  const free = [...gains].filter(([b]) => !takenBy.has(b)).map(([, way]) => way)
  const best = free.reduce<(typeof free)[number] | undefined>(
    (a, b) => (a === undefined || b.gain > a.gain ? b : a),
    undefined,
  )
  return best !== undefined && best.gain > 1e-9 ? best.path : undefined
}
