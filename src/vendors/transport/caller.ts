import type { CallContext } from '../../lib/async/call-context.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Probe } from '../contract.ts'
import { VendorError } from '../vendor-error.ts'
import type { Call, Reply, Send } from './call.ts'

export type Caller<Config> = {
  readonly config: Config
  readonly clock: Clock
  /** Signs and sends a call. Returns any response, including refusals. */
  exchange(call: Call, context: CallContext): Promise<Reply>
  /** Like `exchange`, but throws if the response is a failure. */
  request(call: Call, context: CallContext): Promise<Reply>
  /** Returns the failure that a response reports; undefined for success. */
  readFailure(call: Call, reply: Reply): VendorError | undefined
}

export function createCaller<Config>(
  config: Config,
  { send, clock }: { readonly send: Send; readonly clock: Clock },
  vendor: {
    buildHeaders(context: CallContext, call: Call): Readonly<Record<string, string>>
    readFailure(call: Call, reply: Reply): VendorError | undefined
  },
): Caller<Config> {
  const exchange = (call: Call, context: CallContext): Promise<Reply> =>
    send({ ...call, headers: { ...vendor.buildHeaders(context, call), ...call.headers } }, context)
  return {
    config,
    clock,
    exchange,
    readFailure: vendor.readFailure,
    async request(call, context) {
      const reply = await exchange(call, context)
      const failure = vendor.readFailure(call, reply)
      if (failure !== undefined) throw failure
      return reply
    },
  }
}

/** Request of a probe: returns the failure instead of throwing it. */
export async function tryRequest<Config>({ request }: Caller<Config>, call: Call, context: CallContext) {
  try {
    return { reply: await request(call, context), failure: undefined }
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    return { reply: undefined, failure: error.message }
  }
}

/** Signatures are valid for a few minutes only, so clock skew breaks every call. */
export function probeClock(reply: Reply | undefined, clock: Clock, skewMaxMs: number): Probe {
  const vendorTime = Date.parse(reply?.headers.date ?? '')
  if (Number.isNaN(vendorTime)) return { name: 'clock', ok: true, detail: 'the response has no date to compare with' }
  const skewMs = clock.now() - vendorTime
  const detail = `${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs < 0 ? 'behind' : 'ahead of'} the vendor`
  return { name: 'clock', ok: Math.abs(skewMs) <= skewMaxMs, detail }
}
