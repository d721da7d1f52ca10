import { defineConfig } from 'vitest/config'

/** A ring is defined by what it may touch; the slower a ring, the later it runs. */
const ring = (name: string, more: object = {}) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout: 15_000, hookTimeout: 60_000, ...more },
})

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'structure', include: ['test/*.test.ts'] } },
      ring('unit'),
      ring('contract', { testTimeout: 30_000 }),
      ring('store', { testTimeout: 60_000, hookTimeout: 120_000 }),
      ring('app', { testTimeout: 30_000 }),
      ring('process', { testTimeout: 180_000, hookTimeout: 180_000, fileParallelism: false }),
      ring('web', { testTimeout: 120_000, hookTimeout: 180_000, fileParallelism: false }),
    ],
  },
})
