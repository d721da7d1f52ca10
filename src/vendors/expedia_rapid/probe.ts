import type { CallContext } from '../../lib/async/call-context.ts'
import type { Probe } from '../contract.ts'
import type { Reply } from '../transport/call.ts'
import { type Caller, probeClock } from '../transport/caller.ts'
import { VendorError } from '../vendor-error.ts'
import type { ExpediaRapidConfig } from './config.ts'
import { encodeContent } from './encode.ts'

/** Rapid rejects signatures that are five minutes off; the probe fails at half of that. */
const SKEW_MAX_MS = 150_000

/** One cheap read checks connectivity, signature and clock. */
export async function probe(rapid: Caller<ExpediaRapidConfig>, context: CallContext): Promise<readonly Probe[]> {
  const { baseUrl } = rapid.config
  const call = encodeContent(rapid.config, { ids: ['1'] })
  let reply: Reply
  try {
    reply = await rapid.exchange(call, context)
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    return [{ name: 'reach', ok: false, detail: `${baseUrl}: ${error.message}` }]
  }
  const failure = rapid.readFailure(call, reply)
  return [
    { name: 'reach', ok: true, detail: baseUrl },
    { name: 'credentials', ok: failure === undefined, detail: failure?.message ?? 'signature accepted' },
    probeClock(reply, rapid.clock, SKEW_MAX_MS),
    ...quotaProbe(reply),
  ]
}

/** The headers contain percentages, not counts. */
function quotaProbe(reply: Reply): Probe[] {
  const [minute, day] = [reply.headers['rate-limit-minute-remaining'], reply.headers['rate-limit-day-remaining']]
  if (minute === undefined && day === undefined) return []
  const detail = `${minute ?? '?'} % of the minute, ${day ?? '?'} % of the day left`
  return [{ name: 'quota', ok: minute !== '0' && day !== '0', detail }]
}
