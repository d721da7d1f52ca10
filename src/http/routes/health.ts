import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Registry } from 'prom-client'
import { Type } from 'typebox'
import { monotonicMs } from '../../lib/clock.ts'

/** One thing that must work before requests should come here. */
export type ReadinessCheck = { readonly name: string; check(): Promise<void> }

type Deps = { readiness: readonly ReadinessCheck[]; isDraining(): boolean; registry: Registry }

const CHECK_TIMEOUT_MS = 1_500
const SHARED_MS = 200
const Health = Type.Object({ status: Type.String() }, { examples: [{ status: 'ok' }] })
const Readiness = Type.Object(
  { status: Type.String(), checks: Type.Record(Type.String(), Type.String()) },
  { examples: [{ status: 'ready', checks: { store: 'ok' } }] },
)

/** Liveness touches nothing; readiness tells a balancer whether to send requests; vendors' trouble is neither. */
export const healthRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  const checkAll = shareBriefly(() => Promise.all(deps.readiness.map(runCheck)))
  const config = (operation: string) => ({ operation, access: 'public' as const, internal: true })

  app.get(
    '/healthz',
    {
      config: config('health.live'),
      schema: { tags: ['Operation'], summary: 'Is the process alive?', response: { 200: Health } },
    },
    async () => ({ status: 'ok' }),
  )

  app.get(
    '/readyz',
    {
      config: config('health.ready'),
      schema: {
        tags: ['Operation'],
        summary: 'Should requests be sent here?',
        response: { 200: Readiness, 503: Readiness },
      },
    },
    async (_request, reply) => {
      if (deps.isDraining()) return reply.code(503).send({ status: 'draining', checks: {} })
      const results = await checkAll()
      const ready = results.every(([, outcome]) => outcome === 'ok')
      return reply
        .code(ready ? 200 : 503)
        .send({ status: ready ? 'ready' : 'not_ready', checks: Object.fromEntries(results) })
    },
  )

  app.get(
    '/metrics',
    {
      config: config('health.metrics'),
      schema: {
        tags: ['Operation'],
        summary: 'Prometheus metrics',
        response: {
          200: { description: 'Text exposition format.', content: { 'text/plain': { schema: Type.String() } } },
        },
      },
    },
    async (_request, reply) =>
      reply.header('content-type', deps.registry.contentType).send(await deps.registry.metrics()),
  )
}

/** Checks write to the disk, and anybody may ask: who asks again at once is told the same. */
function shareBriefly<T>(check: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined
  return () => {
    const now = monotonicMs()
    if (last === undefined || now - last.at > SHARED_MS) last = { at: now, answer: check() }
    return last.answer
  }
}

async function runCheck({ name, check }: ReadinessCheck): Promise<[string, string]> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('too slow')), CHECK_TIMEOUT_MS)
  try {
    await Promise.race([check(), late.promise])
    return [name, 'ok']
  } catch {
    return [name, 'failed']
  } finally {
    clearTimeout(timer)
  }
}
