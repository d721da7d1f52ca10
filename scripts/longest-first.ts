import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest files of each ring, longest first; the ring of many short files last. */
const LONGEST = [
  'process/storm',
  'process/client/serai-api',
  'process/mcp',
  'web/access',
  'web/booking-scenarios',
  'web/search-scenarios',
  'web/journey',
  'web/console-bookings',
  'web/console-selling',
  'web/map',
  'web/links',
  'app/detail',
  'app/mcp',
  'app/openapi-lint',
  'contract/expedia_rapid',
  'store/postgres-hang',
  'words',
  'unit/booking/planted-bugs',
  'unit/scripts/new-vendor',
  'unit/booking/simulation',
].map((name) => `/test/${name}.test.ts`)

/**
 * Starts long files first, so that no core waits for the last of them. Files of a ring stay together, because they share
 * a process. Without this, large files are first.
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
