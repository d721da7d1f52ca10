import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Slowest files of a measured run, longest first. An outdated entry is harmless. */
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
  'store/postgres-failover',
  'store/postgres-hang',
  'words',
  'unit/booking/simulation',
  'unit/payments/simulation',
  'campaigns/lost-database',
  'campaigns/planted-bugs',
  'campaigns/new-vendor',
  'campaigns/image',
].map((name) => `/test/${name}.test.ts`)

/**
 * Starts long files first, so that no core waits for the last of them. Files of a project stay together, because they
 * share a process. The default order is by file size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).toSorted((a, b) => findPosition(a) - findPosition(b))
    const rings = [...new Set(sorted.map(({ project }) => project.name))]
    return sorted.toSorted((a, b) => rings.indexOf(a.project.name) - rings.indexOf(b.project.name))
  }
}

function findPosition({ moduleId }: TestSpecification): number {
  const position = LONGEST.findIndex((name) => moduleId.endsWith(name))
  return position === -1 ? LONGEST.length : position
}
