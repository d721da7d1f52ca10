/**
 * Measures the duration of searches at one vendor while another vendor hangs, fails, sends slowly, resets or sends 50
 * MB.
 */
import { readArguments, readChoice, readNumber } from '../../scripts/read-arguments.ts'
import { DISTURBANCES, runIsolation } from '../load/isolation.ts'

const KINDS = DISTURBANCES.map(({ kind }) => kind)
const USAGE = `Usage: node chaos/experiments/isolation.ts [--seconds 20] [--only ${KINDS.join('|')}]

Measures alternately with and without the disturbance. Exit code 1 if searches took 10 % longer or failed.`

const { values } = readArguments(USAGE, {
  options: { seconds: { type: 'string', default: '20' }, only: { type: 'string' } },
})
const seconds = readNumber(USAGE, '--seconds', values.seconds)
const only = values.only === undefined ? KINDS : [readChoice(USAGE, '--only', KINDS, values.only)]
const ROUNDS = 2
const SLOWER_MAX = 1.1
const STARVED_MAX = 0.03
const GROWN_MAX_MB = 64
/** The heap always grows during the first few hundred searches, so measuring starts after them. */
const WARM_UP = { seconds: 25, perSecond: 6 } as const

// Loaded after the arguments are read, so that --help answers at once.
const { openOverload } = await import('../load/overload-stage.ts')
// No reuse: a reused answer would hide the disturbance.
const stage = await openOverload({ SERAI_RATE_LIMIT_PER_MINUTE: '10000000', SERAI_ANSWER_REUSE_SECONDS: '0' })
const problems: string[] = []
try {
  const { server, tokens } = stage
  const destinationId = await stage.visitTown()
  const allTokens = [...tokens.others, tokens.flood]
  const order = { url: server.url, tokens: allTokens, kind: 'real', destinationId, name: 'warm-up' } as const
  await stage.generators.others.send({ ...order, ...WARM_UP })
  for (const disturbance of DISTURBANCES.filter(({ kind }) => only.includes(kind))) {
    const report = await runIsolation(stage, { destinationId, disturbance, rounds: ROUNDS, seconds: seconds / ROUNDS })
    console.log(`${disturbance.kind}:`, report)
    const { quiet, flooded } = report.inService
    if (report.starvedShare.flooded > STARVED_MAX)
      console.log('inconclusive: the machine was too busy to measure durations')
    else if (flooded > quiet * SLOWER_MAX) problems.push(`${disturbance.kind}: ${flooded} ms instead of ${quiet} ms`)
    problems.push(...report.failures.map((message) => `${disturbance.kind}: ${message}`))
    const grown = report.residentMb.after - report.residentMb.before
    if (grown > GROWN_MAX_MB) problems.push(`${disturbance.kind}: memory grew by ${grown} MB`)
  }
} finally {
  await stage.close()
}
for (const message of problems) console.error(message)
process.exitCode = problems.length > 0 ? 1 : 0
