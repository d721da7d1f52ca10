import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest files, longest first. */
const LONGEST = [
  'unit/booking/simulation',
  'unit/booking/planted-bugs',
  'unit/scripts/new-vendor',
  'app/openapi-lint',
  'app/detail',
  'process/crash-loop',
  'process/storm',
  'process/client/serai-api',
  'waiting/nodes',
  'waiting/soak',
  'web/booking-scenarios',
  'web/access',
  'web/journey',
  'web/search-scenarios',
  'web/console-bookings',
  'web/console-selling',
  'web/links',
].map((name) => `/test/${name}.test.ts`)

/**
 * Starts long files first, so that no core waits for the last of them. Files of a ring stay together, because they share
 * a process; the ring of the longest file comes first. Without this, large files are first.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
    const rings = [...new Set(sorted.map(({ project }) => project.name))]
    return sorted.toSorted((a, b) => rings.indexOf(a.project.name) - rings.indexOf(b.project.name))
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(name))
  return place === -1 ? LONGEST.length : place
}
