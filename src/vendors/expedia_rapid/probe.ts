import type { CallContext } from '../../lib/call-context.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Call, Reply } from '../call.ts'
import type { Probe } from '../contract.ts'
import { VendorError } from '../vendor-error.ts'
import type { ExpediaRapidConfig } from './config.ts'
import { encodeContent } from './encode.ts'
import { failureOf } from './failure.ts'

/** Rapid refuses signatures that are five minutes off; half of that is the time to say so. */
const SKEW_MAX_S = 150

/** One cheap read tells whether Rapid can be reached, takes our signature, and agrees on the time. */
export function createProbe(
  config: ExpediaRapidConfig,
  clock: Clock,
  exchange: (call: Call, context: CallContext) => Promise<Reply>,
) {
  return async function probe(context: CallContext): Promise<readonly Probe[]> {
    const call = encodeContent(config, { ids: ['1'] })
    let reply: Reply
    try {
      reply = await exchange(call, context)
    } catch (error) {
      if (!(error instanceof VendorError)) throw error
      return [{ name: 'reach', ok: false, detail: `${config.baseUrl}: ${error.message}` }]
    }
    const failure = failureOf(call, reply, clock.now())
    return [
      { name: 'reach', ok: true, detail: config.baseUrl },
      { name: 'credentials', ok: failure === undefined, detail: failure?.message ?? 'signature accepted' },
      ...clockProbe(reply, clock.now()),
      ...quotaProbe(reply),
    ]
  }
}

function clockProbe(reply: Reply, now: number): Probe[] {
  const theirs = Date.parse(reply.headers.date ?? '')
  if (Number.isNaN(theirs)) return []
  const seconds = Math.round((now - theirs) / 1000)
  return [{ name: 'clock', ok: Math.abs(seconds) <= SKEW_MAX_S, detail: `${seconds} s off the vendor's` }]
}

/** Percentages, not counts. */
function quotaProbe(reply: Reply): Probe[] {
  const [minute, day] = [reply.headers['rate-limit-minute-remaining'], reply.headers['rate-limit-day-remaining']]
  if (minute === undefined && day === undefined) return []
  const detail = `${minute ?? '?'} % of the minute, ${day ?? '?'} % of the day left`
  return [{ name: 'quota', ok: minute !== '0' && day !== '0', detail }]
}
