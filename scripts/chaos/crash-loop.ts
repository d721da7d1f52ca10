/**
 * The crash loop for as long as you like: `node scripts/chaos/crash-loop.ts --seed 7 --minutes 30 [--postgres]`. Kills a
 * real server again and again while clients book, then holds the vendors' books against ours. Exit code 1 when they differ.
 */
import { parseArgs } from 'node:util'
import { runCrashLoop } from '../../test/support/crash-loop.ts'
import { startPostgres } from '../../test/support/postgres.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    minutes: { type: 'string', default: '5' },
    postgres: { type: 'boolean', default: false },
  },
})

const seed = Number(values.seed)
console.log(`crash loop, seed ${seed}, ${values.minutes} min, ${values.postgres ? 'PostgreSQL' : 'SQLite'}`)
const postgres = values.postgres ? await startPostgres() : undefined
try {
  const report = await runCrashLoop({
    seed,
    cycles: Number.POSITIVE_INFINITY,
    millis: Number(values.minutes) * 60_000,
    ...(postgres === undefined ? {} : { databaseUrl: postgres.url }),
  })
  console.log(report)
  process.exitCode = report.violations.length > 0 ? 1 : 0
} finally {
  await postgres?.stop()
}
