import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'
import { compileMessages } from './web/compile-messages.ts'

/** Two for each core: in every ring there are tests that wait for a server, a vendor or the clock. */
const WORKERS = 2 * availableParallelism()

/** Files of one ring share a process and what it has loaded: none of them leaves anything behind for another to meet. */
const together = { isolate: false }

/**
 * A test that checks nothing fails, so that none can pass by returning early. One second, the default of `expect.poll`, is not
 * enough on a busy machine.
 */
const expect = { requireAssertions: true, poll: { timeout: 10_000 } }

/**
 * Node reads the files itself, as in the service: a tenth less processor time than with Vite's transformation. Only for
 * rings without files of the page, which need Vite, and without child processes, which would inherit the loader.
 */
const native = { experimental: { viteModuleRunner: false, nodeLoader: false } }

const browser = {
  testTimeout: 120_000,
  hookTimeout: 180_000,
  globalSetup: ['test/support/servers/shared-browser.ts', 'test/support/client/shared-folder.ts'],
  ...together,
}
/** Whole journeys on a real server. `states` has single states of the pages, and everything else that a browser shows. */
const JOURNEYS = ['test/web/{client-bundle,journey,journey-tree,search-stream,session}.test.ts']
/** Outages whose tests limit the time until nodes are ready again. */
const TIMED_OUTAGES = ['test/outages/{health,nodes,redis-failover,vendor-torture}.test.ts']
const SERVERS = { testTimeout: 180_000, hookTimeout: 180_000, globalSetup: 'test/support/servers/compiled-server.ts' }
/** Rings of one group run together, and the groups one after the other. */
const group = (groupOrder: number) => ({ sequence: { groupOrder } })

/**
 * A ring is defined by what it may touch. All have the same plugins, because rings with the same ones share the cache of
 * transformed modules.
 */
const ring = (name: string, more: object = {}) => ({
  plugins: [compileMessages],
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout: 15_000, hookTimeout: 60_000, expect, ...more },
})

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'structure', include: ['test/*.test.ts'], testTimeout: 30_000, expect, ...together } },
      ring('unit', together),
      ring('contract', { testTimeout: 30_000, ...native, ...together }),
      ring('store', {
        testTimeout: 60_000,
        hookTimeout: 120_000,
        globalSetup: 'test/support/servers/shared-postgres.ts',
        ...native,
        ...together,
      }),
      ring('app', { testTimeout: 30_000, ...native, ...together }),
      ring('process', {
        testTimeout: 180_000,
        hookTimeout: 180_000,
        globalSetup: ['test/support/client/shared-folder.ts', 'test/support/servers/compiled-server.ts'],
        ...together,
      }),
      ring('web', { ...browser, include: JOURNEYS }),
      ring('states', { ...browser, include: ['test/web/*.test.ts'], exclude: JOURNEYS }),
      // Tests that play thousands of worlds, fail at many statements, or copy the repository.
      ring('campaigns', {
        testTimeout: 180_000,
        hookTimeout: 180_000,
        globalSetup: 'test/support/client/shared-folder.ts',
        ...group(1),
        ...together,
      }),
      // Servers, databases and vendors that fail, as in `npm run chaos` but shorter.
      ring('outages', { ...SERVERS, exclude: TIMED_OUTAGES, ...group(1), ...together }),
      // They mostly wait: for each core one file at a time.
      ring('timed-outages', {
        ...SERVERS,
        include: TIMED_OUTAGES,
        maxWorkers: availableParallelism(),
        ...group(2),
        ...together,
      }),
      // Overload, attacks and time limits: one file after the other, with nothing beside it.
      ring('timing', { ...SERVERS, fileParallelism: false, ...group(3), ...together }),
    ],
  },
})
