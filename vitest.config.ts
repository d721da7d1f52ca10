import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'
import { compileMessages } from './web/compile-messages.ts'

/** Three for two cores: in every ring there are tests that wait for a server, a vendor or the clock. */
const WORKERS = Math.ceil(availableParallelism() * 1.5)

/** Files of one ring share a process and what it has loaded: none of them leaves anything behind for another to meet. */
const together = { isolate: false }

/** For files that run one after the other, with nothing beside them. */
const alone = { testTimeout: 180_000, hookTimeout: 180_000, fileParallelism: false, ...together }

/**
 * A test that checks nothing fails, so that none can pass by returning early. One second, the default of `expect.poll`, is not
 * enough on a busy machine.
 */
const expect = { requireAssertions: true, poll: { timeout: 10_000 } }

const browser = {
  testTimeout: 120_000,
  hookTimeout: 180_000,
  globalSetup: ['test/support/servers/shared-browser.ts', 'test/support/client/shared-folder.ts'],
  ...together,
}
const CONSOLE = ['test/web/console-!(smoke).test.ts']

/** A ring is defined by what it may touch. */
const ring = (name: string, more: object = {}) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout: 15_000, hookTimeout: 60_000, expect, ...more },
})

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'structure', include: ['test/*.test.ts'], testTimeout: 30_000, expect, ...together } },
      { ...ring('unit', together), plugins: [compileMessages] },
      ring('contract', { testTimeout: 30_000, ...together }),
      ring('store', {
        testTimeout: 60_000,
        hookTimeout: 120_000,
        globalSetup: 'test/support/servers/shared-postgres.ts',
        ...together,
      }),
      ring('app', { testTimeout: 30_000, ...together }),
      ring('process', {
        testTimeout: 180_000,
        hookTimeout: 180_000,
        globalSetup: ['test/support/client/shared-folder.ts', 'test/support/servers/compiled-server.ts'],
        ...together,
      }),
      ring('web', { ...browser, exclude: CONSOLE }),
      // Every state of the console's pages; `web` opens each of them once, on a real server.
      ring('console', { ...browser, include: CONSOLE }),
      // Tests that play thousands of worlds, fail at every statement, or copy the repository. The simulations are also unit tests, with fewer worlds.
      ring('campaigns', {
        include: ['test/campaigns/**/*.test.ts', 'test/unit/{booking,payments}/simulation.test.ts'],
        testTimeout: 180_000,
        hookTimeout: 180_000,
        ...together,
      }),
      // Servers, databases and vendors that fail, as in `npm run chaos` but shorter.
      ring('outages', {
        ...alone,
        sequence: { groupOrder: 1 },
        globalSetup: 'test/support/servers/compiled-server.ts',
      }),
      // Overload, attacks and time limits.
      ring('timing', { ...alone, sequence: { groupOrder: 2 } }),
    ],
  },
})
