import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest in a measured run, longest first. An entry without effect is harmless. */
const LONGEST = [
  'web/access',
  'web/booking-scenarios',
  'web/search-scenarios',
  'web/journey',
  'web/map',
  'web/links',
  'process/mcp',
  'app/search/detail',
  'app/agents/mcp',
  'app/search/search',
  'contract/expedia_rapid',
  'store/postgres-hang',
  'words',
  'unit/booking/simulation',
  'campaigns/lost-database',
  'campaigns/planted-bugs',
  'campaigns/new-vendor',
  'campaigns/image',
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
