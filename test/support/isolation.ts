import type { Fault } from '../../src/sandbox/faults.ts'
import { type OverloadReport, runOverload } from './overload.ts'
import type { OverloadStage } from './overload-stage.ts'

export type Trouble = Omit<Fault, 'operation'>

/** All ways in which a vendor can be of no use. */
export const TROUBLES: readonly Trouble[] = [
  { kind: 'hang' },
  { kind: 'error_before' },
  { kind: 'drip', ms: 20 },
  { kind: 'reset_before' },
  { kind: 'huge' },
]

const UNWELL = 'hotelbeds'
const WELL = 'expedia_rapid'
const VENDOR_MS = 150

type Options = { readonly trouble: Trouble; readonly rounds: number; readonly seconds: number }

/**
 * Four accounts ask one vendor; a fifth asks both, all the time. In every other stretch the second vendor is of no use.
 * What the four wait should not tell which.
 */
export async function runIsolation(
  stage: OverloadStage,
  { trouble, rounds, seconds }: Options,
): Promise<OverloadReport> {
  const { control } = stage.stage.sandbox
  const { destinationId, tokens } = stage
  const both = { tokens: [tokens.flood], perSecond: 4, kind: 'real', destinationId } as const
  await control[WELL].addFaults({ kind: 'latency', operation: 'availability', ms: VENDOR_MS })
  try {
    return await runOverload({
      ...stage,
      others: { tokens: tokens.others, perSecond: 2, kind: 'real', destinationId, vendors: [WELL] },
      trickle: both,
      flood: both,
      rounds,
      seconds,
      async onStretch(isUnwell) {
        await control[UNWELL].clearFaults()
        await control[UNWELL].addFaults(
          isUnwell ? { ...trouble, operation: '*' } : { kind: 'latency', operation: 'availability', ms: VENDOR_MS },
        )
      },
    })
  } finally {
    await control[UNWELL].clearFaults()
    await control[WELL].clearFaults()
  }
}
