import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { type Attributes, type Context, context, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api'

export type RecordedSpan = {
  readonly name: string
  readonly kind: SpanKind
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly attributes: Attributes
  failed: boolean
}

/** Registers the smallest possible tracing SDK, which keeps ended spans in memory. */
export function recordSpans() {
  const spans: RecordedSpan[] = []
  const storage = new AsyncLocalStorage<Context>()
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...args) => storage.run(active, () => work.apply(self as never, args)),
    bind: (_active, target) => target,
    enable: () => context as never,
    disable: () => context as never,
  })
  const startSpan = (
    name: string,
    options: { kind?: SpanKind; attributes?: Attributes } = {},
    parent = context.active(),
  ): Span => {
    const above = trace.getSpanContext(parent)
    const traceId = above?.traceId ?? randomBytes(16).toString('hex')
    const attributes: Attributes = { ...options.attributes }
    const kind = options.kind ?? SpanKind.INTERNAL
    const spanId = randomBytes(8).toString('hex')
    const recorded: RecordedSpan = { name, kind, traceId, spanId, parentId: above?.spanId, attributes, failed: false }
    const span = {
      spanContext: () => ({ traceId, spanId, traceFlags: 1 }),
      setAttribute(key: string, value: string) {
        attributes[key] = value
        return span
      },
      setStatus() {
        recorded.failed = true
        return span
      },
      end: () => void spans.push(recorded),
    } as unknown as Span
    return span
  }
  const startActiveSpan = (name: string, options: object, work: (span: Span) => unknown) => {
    const span = startSpan(name, options)
    return context.with(trace.setSpan(context.active(), span), () => work(span))
  }
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) as never })
  return {
    spans,
    stop() {
      trace.disable()
      context.disable()
    },
  }
}
