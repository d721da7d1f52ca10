import type { FastifyInstance, FastifyRequest } from 'fastify'
import { continueIn, failSpan, startRequestSpan } from '../../lib/trace.ts'

type Started = NonNullable<ReturnType<typeof startRequestSpan>>

/** A span for each request, named by its route; paths and queries may contain personal data. */
export function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Started>()

  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route, config } = request.routeOptions
    const started = startRequestSpan(
      route === undefined ? request.method : `${request.method} ${route}`,
      request.headers.traceparent,
      {
        'http.request.method': request.method,
        ...(route !== undefined && { 'http.route': route }),
        'serai.operation': config.operation ?? 'unmatched',
        'serai.request_id': request.id,
      },
    )
    if (started === undefined) return done()
    spans.set(request, started)
    continueIn(started.active, done)
  })

  // Reading the body continues in the context of the connection.
  app.addHook('preValidation', (request, _reply, done) => {
    const started = spans.get(request)
    if (started === undefined) done()
    else continueIn(started.active, done)
  })

  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)?.span
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (span !== undefined && reply.statusCode >= 500) failSpan(span, request.problemCode ?? String(reply.statusCode))
    span?.end()
    done()
  })
}
