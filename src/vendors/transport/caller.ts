import type { CallContext } from '../../lib/async/call-context.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Probe } from '../contract.ts'
import { VendorError } from '../vendor-error.ts'
import type { Call, Reply, Send } from './call.ts'

/** What every operation of an adapter works with. */
export type Caller<Config> = {
  readonly config: Config
  readonly clock: Clock
  /** Signs and sends. The answer comes as it is, refusals included. */
  exchange(call: Call, context: CallContext): Promise<Reply>
  /** The same, but throws where the answer is a failure. */
  ask(call: Call, context: CallContext): Promise<Reply>
  /** Why an answer is no success; undefined when it is one. */
  failureOf(call: Call, reply: Reply): VendorError | undefined
}

export function createCaller<Config>(
  config: Config,
  { send, clock }: { readonly send: Send; readonly clock: Clock },
  vendor: {
    headersOf(context: CallContext, call: Call): Readonly<Record<string, string>>
    failureOf(call: Call, reply: Reply): VendorError | undefined
  },
): Caller<Config> {
  const exchange = (call: Call, context: CallContext): Promise<Reply> =>
    send({ ...call, headers: { ...vendor.headersOf(context, call), ...call.headers } }, context)
  return {
    config,
    clock,
    exchange,
    failureOf: vendor.failureOf,
    async ask(call, context) {
      const reply = await exchange(call, context)
      const failure = vendor.failureOf(call, reply)
      if (failure !== undefined) throw failure
      return reply
    },
  }
}

/** For a probe, to which a failure is an answer too. */
export async function attempt<Config>({ ask }: Caller<Config>, call: Call, context: CallContext) {
  try {
    return { reply: await ask(call, context), failure: undefined }
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    return { reply: undefined, failure: error.message }
  }
}

/** Signatures hold for a few minutes only, so an operator is told when the clocks differ. */
export function clockProbe(reply: Reply | undefined, clock: Clock, skewMaxMs: number): Probe {
  const theirs = Date.parse(reply?.headers.date ?? '')
  if (Number.isNaN(theirs)) return { name: 'clock', ok: true, detail: 'the answer carries no date to compare with' }
  const skewMs = clock.now() - theirs
  const detail = `${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs < 0 ? 'behind' : 'ahead of'} the vendor`
  return { name: 'clock', ok: Math.abs(skewMs) <= skewMaxMs, detail }
}
