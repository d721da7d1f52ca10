import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../../src/domain/errors.ts'
import { addOverloadGuard } from '../../../src/http/limits/overload.ts'

/** A fifth of the service's own limits. */
const LIMITS = { sampleMs: 1_000, latenessMaxMs: 200 }

let app: FastifyInstance
const readStatus = async (url: string) => (await app.inject({ url })).statusCode
/** Blocks the whole process without using the processor. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

beforeEach(async () => {
  app = fastify()
  await addOverloadGuard(app, LIMITS)
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof AppError && error.code === 'overloaded' ? 503 : 500).send(),
  )
  app.get('/search', async () => 'found')
  app.get('/health', { config: { internal: true } }, async () => 'well')
  await app.listen({ host: '127.0.0.1', port: 0 })
  await wait(2 * LIMITS.sampleMs)
})
afterEach(() => app.close())

test('a process that is permanently late refuses requests, stays healthy and recovers', async () => {
  const seen = new Set<number>()
  for (let round = 0; round < 12; round++) {
    block(1.5 * LIMITS.latenessMaxMs)
    await turn()
    seen.add(await readStatus('/search'))
    expect(await readStatus('/health')).toBe(200)
  }
  expect(seen).toContain(503)
  await expect.poll(() => readStatus('/search')).toBe(200)
})

test('one long task is not an overload', async () => {
  const until = performance.now() + 3 * LIMITS.sampleMs
  block(2 * LIMITS.latenessMaxMs)
  while (performance.now() < until) {
    expect(await readStatus('/search')).toBe(200)
    await wait(20)
  }
})
