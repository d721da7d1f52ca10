/**
 * A vendor that hangs, fails, drips, resets or sends fifty megabytes, beside one that is well: `node
 * scripts/chaos/isolation.ts [--seconds 20] [--only huge]`. Prints what searches at the other vendor took, without and with it, in turn.
 * Exit code 1 when they took more than a tenth longer, or anything failed.
 */
import { parseArgs } from 'node:util'
import { runIsolation, TROUBLES } from '../../test/support/isolation.ts'
import { openOverload } from '../../test/support/overload-stage.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' }, only: { type: 'string' } } })
const ROUNDS = 2
const SLOWER_MAX = 1.1
const STARVED_MAX = 0.03
const GROWN_MAX_MB = 64
/** A heap grows with its first few hundred searches, whoever is unwell; what a trouble takes is asked of one that has grown. */
const WARM_UP = { seconds: 25, perSecond: 6 } as const

// Every search asks: an answer that is kept would hide the vendor's trouble.
const stage = await openOverload({ SERAI_RATE_LIMIT_PER_MINUTE: '10000000', SERAI_ANSWER_REUSE_SECONDS: '0' })
const wrong: string[] = []
try {
  const { destinationId, server, tokens } = stage
  const everybody = [...tokens.others, tokens.flood]
  const order = { url: server.url, tokens: everybody, kind: 'real', destinationId, name: 'warm-up' } as const
  await stage.crowds.others.send({ ...order, ...WARM_UP })
  for (const trouble of TROUBLES.filter(({ kind }) => values.only === undefined || values.only === kind)) {
    const report = await runIsolation(stage, { trouble, rounds: ROUNDS, seconds: Number(values.seconds) / ROUNDS })
    console.log(`${trouble.kind}:`, report)
    const { quiet, flooded } = report.inService
    if (report.starvedShare.flooded > STARVED_MAX) console.log('the machine was too busy to judge by the clock')
    else if (flooded > quiet * SLOWER_MAX) wrong.push(`${trouble.kind}: ${flooded} ms instead of ${quiet} ms`)
    wrong.push(...report.failures.map((words) => `${trouble.kind}: ${words}`))
    const grown = report.residentMb.after - report.residentMb.before
    if (grown > GROWN_MAX_MB) wrong.push(`${trouble.kind}: memory grew by ${grown} MB`)
  }
} finally {
  await stage.close()
}
for (const words of wrong) console.error(words)
process.exitCode = wrong.length > 0 ? 1 : 0
