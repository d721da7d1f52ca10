import type { CallContext } from '../../lib/async/call-context.ts'
import type { Circle, Region } from '../../lib/geo.ts'
import type { AreaReader, AreaVisit } from '../sync/area-reader.ts'
import type { Candidate } from './geo-index.ts'
import type { LiveIndex } from './live-index.ts'

type Surroundings = {
  /** The searched circle; wider than requested if that was empty. */
  readonly circle: Circle
  readonly candidates: readonly Candidate[]
  readonly visits: readonly AreaVisit[]
}

/** Receives the candidates known so far while an area is being read. */
type OnFound = (candidates: readonly Candidate[], radiusKm: number) => void

type Deps = {
  readonly areas: Pick<AreaReader, 'ensureArea'>
  readonly index: Pick<LiveIndex, 'candidates'>
}

/** Multiples to which an empty circle is widened; a box is searched as requested. */
const WIDENINGS = [1, 3, 8]
const NO_WIDENING = [1]
const WIDEST_KM = 150

/**
 * Finds the candidates of a circle once every vendor's content of it is read, and widens it if there are none.
 * Waits for vendors until `context` is aborted; the visits say what is missing.
 */
export function createAround({ areas, index }: Deps) {
  return async function around(
    circle: Region,
    limit: number,
    context: CallContext,
    onFound?: OnFound,
  ): Promise<Surroundings> {
    let found: Surroundings = { circle, candidates: [], visits: [] }
    for (const factor of circle.box === undefined ? WIDENINGS : NO_WIDENING) {
      const radiusKm = Math.min(circle.radiusKm * factor, Math.max(WIDEST_KM, circle.radiusKm))
      const wider = { ...circle, radiusKm }
      if (factor > 1 && (radiusKm === found.circle.radiusKm || context.signal.aborted)) break
      const report = onFound && (() => onFound(index.candidates(wider, limit), radiusKm))
      const visits = await areas.ensureArea(wider, context, report)
      found = { circle: wider, candidates: index.candidates(wider, limit), visits }
      if (found.candidates.length > 0) break
    }
    return found
  }
}
