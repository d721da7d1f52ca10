/** Responses by the paths they contain, as `describeShape` writes them. */
export type ShapeCounts = { responses: number; readonly counts: Map<string, number> }

export type Drift = {
  readonly kind: 'new_field' | 'vanished_field' | 'changed_type' | 'new_value'
  readonly path: string
}

/** Responses that are learned before drift is reported. */
export const LEARNED_MIN = 200
/** Below it, a path counts as unknown: it may have occurred as a rare exception. */
const RARE = 0.01
/** Share of the recent responses that a new field or type must be in. */
const COMMON = 0.5
/** Share of the earlier responses that a vanished field was in. */
const ALWAYS = 0.98
const SEEN_MIN = 8
const VALUES_MAX = 15
const VALUE_SEEN_MIN = 5

const pathOf = (key: string) => key.slice(0, key.search(/[:=][^:=]*$/))
/** Container of a path: `a[].b` is in the objects `a[]`, and `a[]` in the array `a`. */
function containerKey(path: string): string | undefined {
  if (path === '') return undefined
  return path.endsWith('[]') ? `${path.slice(0, -2)}:array` : `${path.slice(0, path.lastIndexOf('.'))}:object`
}

/** Differences of recent responses from all earlier ones. */
export function findDrift(known: ShapeCounts, recent: ShapeCounts): Drift[] {
  const types = (shapes: ShapeCounts) => [...shapes.counts.keys()].filter((key) => key.includes(':'))
  const paths = new Set(types(known).map(pathOf))
  const recentPaths = new Set(types(recent).map(pathOf))
  /** Share of the containers that have the path. */
  const share = ({ responses, counts }: ShapeCounts, key: string) => {
    const container = containerKey(pathOf(key))
    const all = container === undefined ? responses : (counts.get(container) ?? 0)
    return { all, ratio: all === 0 ? 0 : (counts.get(key) ?? 0) / all }
  }
  const added = types(recent).flatMap((key): Drift[] => {
    const [before, now] = [share(known, key), share(recent, key)]
    if (before.all < SEEN_MIN || before.ratio > RARE || now.all < SEEN_MIN || now.ratio < COMMON) return []
    return [{ kind: paths.has(pathOf(key)) ? 'changed_type' : 'new_field', path: pathOf(key) }]
  })
  const gone = types(known).flatMap((key): Drift[] => {
    const [before, now] = [share(known, key), share(recent, key)]
    const isGone = before.all >= LEARNED_MIN / 2 && before.ratio >= ALWAYS && now.all >= SEEN_MIN && now.ratio === 0
    return isGone && !recentPaths.has(pathOf(key)) ? [{ kind: 'vanished_field', path: pathOf(key) }] : []
  })
  return [...added, ...gone, ...findNewValues(known, recent)]
}

function findNewValues(known: ShapeCounts, recent: ShapeCounts): Drift[] {
  const values = Map.groupBy(
    [...known.counts.keys()].filter((key) => key.includes('=')),
    pathOf,
  )
  return [...recent.counts].flatMap(([key, count]): Drift[] => {
    const path = pathOf(key)
    const earlier = values.get(path) ?? []
    const isEnumeration = earlier.length > 0 && earlier.length <= VALUES_MAX && !earlier.includes(`${path}=*`)
    const isKnownLong = (known.counts.get(`${path}:string`) ?? 0) >= LEARNED_MIN / 2
    if (!key.includes('=') || !isEnumeration || !isKnownLong) return []
    return count >= VALUE_SEEN_MIN && !earlier.includes(key) ? [{ kind: 'new_value', path }] : []
  })
}
