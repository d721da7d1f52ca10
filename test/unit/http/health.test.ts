import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { healthRoutes } from '../../../src/http/health.ts'
import { createLog } from '../../../src/http/middleware/log.ts'

test('a store that hangs is logged once, and so is its recovery', async () => {
  const lines: string[] = []
  let hangs = true
  const app = Fastify({ loggerInstance: createLog('warn', { write: (line) => lines.push(line) }) })
  const check = () => (hangs ? new Promise<void>(() => undefined) : Promise.resolve())
  await app.register(healthRoutes, {
    readiness: [{ name: 'store', check }],
    isDraining: () => false,
  })
  const ready = async () => (await app.inject('/readyz')).statusCode

  expect(await ready()).toBe(503)
  expect(await ready()).toBe(503)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'a readiness check fails', check: 'store', err: { message: 'no answer within 1500 ms' } },
  ])

  hangs = false
  expect(await ready()).toBe(200)
  expect(lines.slice(1).map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'a readiness check succeeds again', check: 'store' },
  ])
  await app.close()
})
