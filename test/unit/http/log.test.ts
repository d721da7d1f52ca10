import { expect, test } from 'vitest'
import { createLog } from '../../../src/http/middleware/log.ts'

function open(level = 'info') {
  const lines: string[] = []
  const log = createLog(level, { write: (line) => lines.push(line) })
  return { log: log.child({ reqId: 'req_1' }), lines, last: () => JSON.parse(lines.at(-1) ?? '{}') }
}

test('every line has its request id, whatever is logged', () => {
  const { log, last } = open()
  log.info('words')
  expect(last()).toMatchObject({ level: 30, reqId: 'req_1', msg: 'words' })
  log.info({ status: 200, account: undefined }, 'answered')
  expect(last()).toEqual({ level: 30, time: expect.any(String), reqId: 'req_1', status: 200, msg: 'answered' })
  log.error(new TypeError('broken'), 'failed')
  expect(last()).toMatchObject({ level: 50, reqId: 'req_1', err: { type: 'TypeError', message: 'broken' } })
  log.child({ job: 'settle' }).warn({ job: 'other' })
  expect(last()).toMatchObject({ level: 40, reqId: 'req_1', job: 'other' })
})

const SECRETS = [
  'authorization',
  'Authorization',
  'password',
  'token',
  'secret',
  'apiKey',
  'api_key',
  'email',
  'phone',
  'guests',
  'contact',
  'booking_info',
]

test.each(SECRETS)('%s is redacted at every depth, in children and in errors', (name) => {
  const { log, lines } = open()
  const secret = { [name]: 'hush' }
  log.info(secret, 'at the top')
  log.info({ body: secret }, 'nested')
  log.info({ a: { b: { c: { d: { e: secret } } } } }, 'nested deeply')
  log.info({ list: [1, { order: secret }] }, 'in a list')
  log.info({ [name]: { inner: 'hush' } }, 'as an object')
  log.child(secret).info('in the bindings')
  log.child({ order: secret }).child({ more: 1 }).info({ status: 200 }, 'nested in the bindings')
  log.error({ err: Object.assign(new Error('failed'), secret, { request: secret }) }, 'on an error')
  log.error(
    Object.assign(new Error('failed', { cause: Object.assign(new Error('why'), secret) }), secret),
    'on a cause',
  )
  expect(lines).toHaveLength(9)
  expect(lines.join('')).not.toContain('hush')
  expect(lines.slice(0, 7).every((line) => line.includes('[redacted]'))).toBe(true)
})

test('our tokens are redacted in texts too', () => {
  const { log, lines } = open()
  const token = `srt_${'x'.repeat(43)}`
  log.error(new Error(`cannot use ${token}`))
  log.info({ header: `bearer: ${token}`, url: ['/a', token] })
  expect(lines.join('')).not.toContain(token)
})

test('a circular object can be logged', () => {
  const { log, last } = open()
  const round: Record<string, unknown> = { name: 'round' }
  round.self = round
  log.info({ round }, 'words')
  expect(last().msg).toBe('words')
})

test('an error keeps its type, message, stack and cause, and requests and replies are left out', () => {
  const { log, last } = open()
  log.error({ err: new TypeError('broken', { cause: new Error('why') }), req: { url: '/' }, res: {} })
  expect(last().err).toMatchObject({ type: 'TypeError', message: 'broken', cause: { message: 'why' } })
  expect(last().err.stack).toContain('log.test.ts')
  expect([last().req, last().res]).toEqual([undefined, undefined])
})

test('a line below the level is not written', () => {
  const { log, lines } = open('warn')
  log.info({ status: 200 }, 'answered')
  log.debug('words')
  expect([lines, log.level]).toEqual([[], 'warn'])
})
