/** Kills a real server repeatedly while clients book, then compares the vendors' bookings with ours. */
import { readArguments, readNumber } from '../../scripts/read-arguments.ts'
import { startPostgres } from '../../test/support/servers/postgres.ts'

const USAGE = `Usage: node chaos/experiments/crash-loop.ts [--seed N] [--minutes 5] [--postgres] [--cards]

Exit code 1 if the vendors' bookings and ours differ, or if nothing was booked.`

const { values } = readArguments(USAGE, {
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    minutes: { type: 'string', default: '5' },
    postgres: { type: 'boolean', default: false },
    cards: { type: 'boolean', default: false },
  },
})

const seed = readNumber(USAGE, '--seed', values.seed)
const minutes = readNumber(USAGE, '--minutes', values.minutes)
// Loaded after the arguments are read, so that --help answers at once.
const { runCrashLoop } = await import('../crash/loop.ts')
console.log(
  `crash loop, seed ${seed}, ${minutes} min, ${values.postgres ? 'PostgreSQL' : 'SQLite'}${values.cards ? ', with payments' : ''}`,
)
const postgres = values.postgres ? await startPostgres() : undefined
try {
  const report = await runCrashLoop({
    seed,
    cycles: Number.POSITIVE_INFINITY,
    millis: minutes * 60_000,
    cards: values.cards,
    ...(postgres === undefined ? {} : { databaseUrl: postgres.url }),
  })
  console.log(report)
  const provesNothing = report.cycles === 0 || report.byState.confirmed === undefined
  if (provesNothing) console.error('inconclusive: no server was killed, or nothing was booked')
  process.exitCode = report.violations.length > 0 || provesNothing ? 1 : 0
} finally {
  await postgres?.stop()
}
