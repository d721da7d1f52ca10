import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { VERSION } from './version.ts'

export { SpanKind }

type Options = { readonly kind?: SpanKind; readonly attributes?: Attributes }

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)

/**
 * Undefined without an OpenTelemetry SDK; the API's own placeholder would cost 3 % of a booking. Read for every span,
 * because an SDK may be registered after this module was loaded.
 */
function findTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider()
  if (provider instanceof ProxyTracerProvider) return provider.getDelegateTracer('serai', VERSION)
  return provider.getTracer('serai', VERSION)
}

/** Runs `work` in a span, which fails if `work` does. Without an OpenTelemetry SDK nothing is recorded. */
export function inSpan<T>(name: string, options: Options, work: (span: Span) => Promise<T>): Promise<T> {
  const tracer = findTracer()
  if (tracer === undefined) return work(NO_SPAN)
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      // Messages may contain personal data.
      failSpan(span, error instanceof Error ? error.name : 'unknown')
      throw error
    } finally {
      span.end()
    }
  })
}

/** The same function with a span around each call. */
export const traced =
  <Args extends unknown[], T>(name: string, work: (...args: Args) => Promise<T>) =>
  (...args: Args): Promise<T> =>
    inSpan(name, {}, () => work(...args))

export function failSpan(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Starts the span of a request, in a context for handling it. Undefined without an OpenTelemetry SDK. */
export function startRequestSpan(name: string, header: string | string[] | undefined, attributes: Attributes) {
  const tracer = findTracer()
  if (tracer === undefined) return undefined
  const parent = parseTraceparent(header)
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
  return { span, active: trace.setSpan(parent, span) }
}

/** Runs `next` in the context of a request. */
export const continueIn = (active: Context, next: () => void): void => context.with(active, next)

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/
const ZEROS = /^0+$/

function parseTraceparent(header: string | string[] | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(String(header ?? '')) ?? []
  if (ZEROS.test(traceId) || ZEROS.test(spanId) || traceId === '') return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16)
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

/** W3C header of the active span; empty without an SDK. */
export function traceHeaders(): { readonly traceparent?: string } {
  const active = trace.getActiveSpan()?.spanContext()
  if (active === undefined || !trace.isSpanContextValid(active)) return {}
  const flags = active.traceFlags.toString(16).padStart(2, '0')
  return { traceparent: `00-${active.traceId}-${active.spanId}-${flags}` }
}

/** Fields that connect a log line with its trace. */
export function traceFields(): { readonly trace_id?: string; readonly span_id?: string } {
  const active = trace.getActiveSpan()?.spanContext()
  return active === undefined ? {} : { trace_id: active.traceId, span_id: active.spanId }
}
