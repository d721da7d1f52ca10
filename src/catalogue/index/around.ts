import type { CallContext } from '../../lib/async/call-context.ts'
import type { Circle, Region } from '../../lib/geo.ts'
import type { AreaReader, AreaVisit } from '../sync/area-reader.ts'
import type { Candidate } from './geo-index.ts'
import type { LiveIndex } from './live-index.ts'

type Surroundings = {
  /** The circle that was searched; wider than asked for where that one was empty. */
  readonly circle: Circle
  readonly candidates: readonly Candidate[]
  readonly visits: readonly AreaVisit[]
}

/** Called with what is known so far of an area that is being read, and how far was looked. */
type OnFound = (candidates: readonly Candidate[], radiusKm: number) => void

type Deps = {
  readonly areas: Pick<AreaReader, 'ensureArea'>
  readonly index: Pick<LiveIndex, 'candidates'>
}

/** An empty circle is widened to these multiples before we say that there is nothing; a box is what was asked for. */
const WIDENINGS = [1, 3, 8]
const AS_IT_IS = [1]
const WIDEST_KM = 150

/**
 * Finds the candidates of a circle, after every vendor has been asked about it once; widens it where there are none. A
 * vendor is waited for until `context` is aborted: what it has by then is there, and the visit says what is missing.
 */
export function createAround({ areas, index }: Deps) {
  return async function around(
    circle: Region,
    limit: number,
    context: CallContext,
    onFound?: OnFound,
  ): Promise<Surroundings> {
    let found: Surroundings = { circle, candidates: [], visits: [] }
    for (const times of circle.box === undefined ? WIDENINGS : AS_IT_IS) {
      const radiusKm = Math.min(circle.radiusKm * times, Math.max(WIDEST_KM, circle.radiusKm))
      const wider = { ...circle, radiusKm }
      if (times > 1 && (radiusKm === found.circle.radiusKm || context.signal.aborted)) break
      const tell = onFound && (() => onFound(index.candidates(wider, limit), radiusKm))
      const visits = await areas.ensureArea(wider, context, tell)
      found = { circle: wider, candidates: index.candidates(wider, limit), visits }
      if (found.candidates.length > 0) break
    }
    return found
  }
}
