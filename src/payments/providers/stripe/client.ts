import type Stripe from 'stripe'
import type { CallContext } from '../../../lib/async/call-context.ts'
import { monotonicMs } from '../../../lib/time/clock.ts'
import { startDeadline } from '../../../lib/time/deadline.ts'
import { inSpan, SpanKind } from '../../../lib/trace.ts'
import { ProviderError, type ProviderFault } from '../../provider-error.ts'
import { readStripeFailure } from './failure.ts'
import { createStripeGuard } from './guard.ts'
import type { StripeSettings } from './settings.ts'
import { createStripeTransport, type Exchange } from './transport.ts'

/** Outcome of one call, for logs and metrics. Contains no amounts, bodies or references of guests. */
export type StripeCallReport = {
  readonly operation: string
  readonly requestId: string
  /** Stripe's own id of the request, which its support asks for. */
  readonly providerRequestId: string | undefined
  readonly status: number | undefined
  readonly fault: ProviderFault | undefined
  readonly ms: number
}

export type StripeCall = <T>(
  operation: string,
  kind: 'read' | 'write',
  context: CallContext,
  send: (stripe: Stripe) => Promise<T>,
) => Promise<T>

/** Deadline of a whole call, from the first byte sent to the last one read. */
const STRIPE_CALL_MS = 20_000
const ORIGIN = 'https://api.stripe.com'

type Options = Pick<StripeSettings, 'secretKey' | 'origin'> & {
  readonly onCall?: ((report: StripeCallReport) => void) | undefined
  readonly timeoutMs?: number | undefined
}

/** The official client behind a deadline, a limit and a breaker. The package is loaded by the first call. */
export function openStripe({ secretKey, origin = ORIGIN, onCall, timeoutMs = STRIPE_CALL_MS }: Options) {
  const transport = createStripeTransport(origin)
  const guard = createStripeGuard()
  let loading: Promise<Stripe> | undefined
  const load = async (): Promise<Stripe> => {
    const { default: StripeClient } = await import('stripe')
    return new StripeClient(secretKey, {
      ...addressOf(origin),
      httpClient: transport.httpClient,
      maxNetworkRetries: 0,
      telemetry: false,
    })
  }

  const server = { 'server.address': new URL(origin).hostname, 'serai.provider': 'stripe' }
  let lastDate: number | undefined

  const call: StripeCall = async (operation, kind, context, send) => {
    loading ??= load()
    const stripe = await loading
    using deadline = startDeadline(timeoutMs, context.signal)
    const exchange: Exchange = { signal: deadline.signal }
    const startedAt = monotonicMs()
    const report = (fault?: ProviderFault) =>
      onCall?.({
        operation,
        requestId: context.requestId,
        providerRequestId: exchange.requestId,
        status: exchange.status,
        fault,
        ms: monotonicMs() - startedAt,
      })
    try {
      const attributes = { ...server, 'serai.provider.operation': operation }
      const answer = await inSpan(`stripe ${operation}`, { kind: SpanKind.CLIENT, attributes }, (span) =>
        guard(async () => {
          if (deadline.signal.aborted) throw new ProviderError('timeout', 'none', { detail: 'no time left' })
          try {
            return await transport.run(exchange, () => send(stripe))
          } catch (error) {
            const failure = readStripeFailure(error, kind === 'write')
            span.setAttribute('serai.provider.fault', failure.fault)
            throw failure
          } finally {
            if (exchange.status !== undefined) span.setAttribute('http.response.status_code', exchange.status)
          }
        }),
      )
      report()
      return answer
    } catch (error) {
      const failure = error instanceof ProviderError ? error : readStripeFailure(error, kind === 'write')
      report(failure.fault)
      throw failure
    } finally {
      if (exchange.date !== undefined && !Number.isNaN(exchange.date)) lastDate = exchange.date
    }
  }
  /** Stripe's clock at its last answer (epoch ms, whole seconds). */
  return { call, lastDate: () => lastDate, close: () => transport.close() }
}

/** The client knows only hosts of Stripe by name. */
function addressOf(origin: string): { host: string; port: string; protocol: 'http' | 'https' } {
  const { hostname, port, protocol } = new URL(origin)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  return { host: hostname, port: port === '' ? (scheme === 'http' ? '80' : '443') : port, protocol: scheme }
}
