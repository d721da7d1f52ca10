import type { Fault } from '../../sandbox/server/faults.ts'
import { STAND_INS } from '../../sandbox/stand-ins.ts'
import { type OverloadReport, runOverload } from './overload.ts'
import type { OverloadStage } from './overload-stage.ts'

export type Disturbance = Omit<Fault, 'operation'>

/** All ways in which a vendor can fail. */
export const DISTURBANCES: readonly Disturbance[] = [
  { kind: 'hang' },
  { kind: 'error_before' },
  { kind: 'drip', ms: 20 },
  { kind: 'reset_before' },
  { kind: 'huge' },
]

const [HEALTHY, FAILING] = [STAND_INS[0].id, STAND_INS[1].id]
const VENDOR_MS = 150

type Options = {
  readonly destinationId: string
  readonly disturbance: Disturbance
  readonly rounds: number
  readonly seconds: number
}

/**
 * Four accounts search at one vendor, a fifth at both. In every second period the other vendor fails, which must not
 * slow down the four.
 */
export async function runIsolation(
  stage: OverloadStage,
  { destinationId, disturbance, rounds, seconds }: Options,
): Promise<OverloadReport> {
  const { control } = stage.stage.sandbox
  const { tokens } = stage
  const both = { tokens: [tokens.flood], perSecond: 4, kind: 'real', destinationId } as const
  await control[HEALTHY].addFaults({ kind: 'latency', operation: 'availability', ms: VENDOR_MS })
  try {
    return await runOverload({
      ...stage,
      others: { tokens: tokens.others, perSecond: 2, kind: 'real', destinationId, vendors: [HEALTHY] },
      background: both,
      flood: both,
      rounds,
      seconds,
      async onPeriod(isFailing) {
        await control[FAILING].clearFaults()
        await control[FAILING].addFaults(
          isFailing
            ? { ...disturbance, operation: '*' }
            : { kind: 'latency', operation: 'availability', ms: VENDOR_MS },
        )
      },
    })
  } finally {
    await control[FAILING].clearFaults()
    await control[HEALTHY].clearFaults()
  }
}
