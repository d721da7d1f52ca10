import type { CallContext } from '../../lib/async/call-context.ts'
import type { Probe } from '../contract.ts'
import type { Call } from '../transport/call.ts'
import { type Caller, tryRequest } from '../transport/caller.ts'
import { type LiteapiConfig, readEnvironment } from './config.ts'
import { encodeCodeList, encodeFind } from './encode.ts'

type Liteapi = Caller<LiteapiConfig>

const UNUSED_REFERENCE = 'SERAI-PROBE'

/** One line each for key, bookings host and environment. Failures are reported, not thrown. */
export async function probe(liteapi: Liteapi, context: CallContext): Promise<readonly Probe[]> {
  const probeCall = async (name: string, call: Call, detail: string): Promise<Probe> => {
    const { failure } = await tryRequest(liteapi, call, context)
    return { name, ok: failure === undefined, detail: failure ?? detail }
  }
  const { payment } = liteapi.config
  return [
    await probeCall('credentials', encodeCodeList('countries'), 'key accepted'),
    await probeCall('bookings', encodeFind(UNUSED_REFERENCE), 'bookings can be looked up'),
    { name: 'environment', ok: true, detail: `${readEnvironment(liteapi.config)}, paid from ${payment}` },
  ]
}
