import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Slowest files of a measured run, longest first. An outdated entry is harmless. */
const LONGEST = [
  'web/journey',
  'web/map',
  'web/payments',
  'web/bookings',
  'process/mcp',
  'process/storm',
  'process/client/package',
  'app/agents/mcp',
  'app/search/detail',
  'app/search/search',
  'app/client/client',
  'app/cli/cli',
  'contract/expedia_rapid',
  'contract/hotelbeds',
  'contract/liteapi',
  'store/postgres-failover',
  'store/postgres-hang',
  'store/lists',
  'words',
  'unit/booking/simulation',
  'unit/http/overload',
  'unit/vendors/transport/quota',
  'unit/deploy/kubernetes-schema',
  'unit/locations/location-data',
  'unit/lists/properties',
  'unit/catalogue/matching-quality',
  'web/payments-lost',
  'web/pay-link',
  'web/payments-phone',
  'web/search-scenarios',
  'web/reading',
  'web/access',
  'web/links',
  'web/booking-scenarios',
  'web/search-conditions',
  'web/payments-states',
  'campaigns/certify-pace',
  'campaigns/lost-payments',
  'campaigns/lost-database',
  'campaigns/generated-clients',
  'campaigns/new-vendor-suite',
  'campaigns/fuzz',
  'campaigns/list-truth',
  'campaigns/vendor-drift',
  'campaigns/planted-bugs',
  'campaigns/certify',
  'campaigns/new-vendor',
  'campaigns/large-content',
  'campaigns/amounts',
  'campaigns/payments-simulation',
  'campaigns/client-consumers',
  'campaigns/image',
  'outages/crash-loop',
  'outages/failover',
  'outages/readings',
  'outages/storm',
  'outages/nodes',
  'outages/redis-failover',
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
