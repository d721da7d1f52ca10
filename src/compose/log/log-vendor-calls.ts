import type { Logger } from 'pino'
import type { Clock } from '../../lib/time/clock.ts'
import { classifyCall, isFailure } from '../../operator/vendors/call-outcome.ts'
import type { CallReport } from '../../vendors/transport/http-client.ts'

const EVERY_MS = 10_000

/**
 * Logs failed calls as warnings: the same failure at most every ten seconds, with the number of those in between, because a
 * vendor that is down fails hundreds of times a second.
 */
export function createCallLogger(clock: Clock, log: Pick<Logger, 'debug' | 'warn'>) {
  const logged = new Map<string, { at: number; since: number }>()
  return (report: CallReport): void => {
    const { requestId, ms, status, class: _, ...call } = report
    const fault = classifyCall(status, report.fault)
    if (!isFailure(fault)) {
      log.debug(report, 'vendor call')
      return
    }
    const key = `${call.vendor} ${call.operation} ${fault}`
    const last = logged.get(key)
    if (last !== undefined && clock.now() - last.at < EVERY_MS) {
      last.since += 1
      return
    }
    logged.set(key, { at: clock.now(), since: 0 })
    const line = { ...call, fault, status, ms: Math.round(ms), reqId: requestId, more: last?.since ?? 0 }
    log.warn(line, 'a call to a vendor failed')
  }
}
