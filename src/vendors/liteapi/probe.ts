import type { CallContext } from '../../lib/async/call-context.ts'
import type { Probe } from '../contract.ts'
import type { Call } from '../transport/call.ts'
import { attempt, type Caller } from '../transport/caller.ts'
import { environmentOf, type LiteapiConfig } from './config.ts'
import { encodeCodeList, encodeFind } from './encode.ts'

type Liteapi = Caller<LiteapiConfig>

/** No booking of ours is ever called this. */
const NOBODY = 'SERAI-PROBE'

/** Key and reach of both hosts, and which environment is meant, one line each. A failure is a line too, never an exception. */
export async function probe(liteapi: Liteapi, context: CallContext): Promise<readonly Probe[]> {
  const probed = async (name: string, call: Call, detail: string): Promise<Probe> => {
    const { failure } = await attempt(liteapi, call, context)
    return { name, ok: failure === undefined, detail: failure ?? detail }
  }
  const { payment } = liteapi.config
  return [
    await probed('credentials', encodeCodeList('countries'), 'key accepted'),
    await probed('bookings', encodeFind(NOBODY), 'bookings can be looked up'),
    { name: 'environment', ok: true, detail: `${environmentOf(liteapi.config)}, paid from ${payment}` },
  ]
}
