import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger } from 'fastify'
import { Type } from 'typebox'
import { cachedFor } from '../lib/async/cached.ts'
import { monotonicMs } from '../lib/time/clock.ts'
import { unlessLate } from '../lib/time/deadline.ts'
import { jsonResponse } from './schemas/answer.ts'

type ReadinessCheck = { readonly name: string; check(): Promise<void> }

type Deps = { readiness: readonly ReadinessCheck[]; isDraining(): boolean }

const CHECK_TIMEOUT_MS = 1_500
/** Results are cached: checks write to the disk, and anyone may call this. */
const CACHE_MS = 200
const Health = Type.Object({ status: Type.String() }, { title: 'Health' })
const Readiness = Type.Object(
  { status: Type.String(), checks: Type.Record(Type.String(), Type.String()) },
  { title: 'Readiness' },
)

/** Neither liveness nor readiness depends on vendors. */
export const healthRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  const checks = deps.readiness.map((check) => loggedCheck(check, app.log))
  const checkAll = cachedFor({ now: monotonicMs }, CACHE_MS, () => Promise.all(checks.map((run) => run())))
  const config = (operation: string) => ({ operation, access: 'public' as const, internal: true })

  app.get(
    '/healthz',
    {
      config: config('health.live'),
      schema: {
        tags: ['Operation'],
        summary: 'Liveness',
        description: 'Uses neither the database nor vendors.',
        response: { 200: jsonResponse('The process is alive.', Health) },
      },
    },
    async () => ({ status: 'ok' }),
  )

  app.get(
    '/readyz',
    {
      config: config('health.ready'),
      schema: {
        tags: ['Operation'],
        summary: 'Readiness',
        description: 'For load balancers. Does not depend on vendors.',
        response: {
          200: jsonResponse('The process accepts requests.', Readiness),
          503: jsonResponse('The process is not ready, or is stopping.', Readiness),
        },
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
}

/** Logs when the check starts to fail and when it succeeds again. */
function loggedCheck(
  { name, check }: ReadinessCheck,
  log: FastifyBaseLogger,
): () => Promise<[name: string, outcome: string]> {
  let isFailing = false
  return async () => {
    const failure = await checkInTime(check).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (failure !== undefined && !isFailing) log.error({ err: failure.error, check: name }, 'a readiness check fails')
    if (failure === undefined && isFailing) log.warn({ check: name }, 'a readiness check succeeds again')
    isFailing = failure !== undefined
    return [name, isFailing ? 'failed' : 'ok']
  }
}

async function checkInTime(check: () => Promise<void>): Promise<void> {
  const isDone = await unlessLate(
    check().then(() => true),
    CHECK_TIMEOUT_MS,
  )
  if (isDone === undefined) throw new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)
}
