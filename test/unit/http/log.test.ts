import { expect, test } from 'vitest'
import { createLog, requestLog } from '../../../src/http/log.ts'

function open(level = 'info') {
  const lines: string[] = []
  const log = requestLog(createLog(level, { write: (line) => lines.push(line) }))
  return { log: log.child({ reqId: 'req_1' }), lines, last: () => JSON.parse(lines.at(-1) ?? '{}') }
}

test('every line names its request, whatever was given to be written', () => {
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

test.each([
  'authorization',
  'password',
  'token',
  'secret',
  'apiKey',
  'email',
  'phone',
  'guests',
  'contact',
  'booking_info',
])('%s is redacted wherever something is written whole', (name) => {
  const { log, lines } = open()
  log.info({ status: 200, body: { [name]: 'hush' } }, 'words')
  log.child({ order: { [name]: 'hush' } }).info({ status: 200 }, 'words')
  log.child({ order: { [name]: 'hush' } }).info('words')
  log.info({ req: { headers: { authorization: 'hush' } } })
  expect(lines).toHaveLength(4)
  expect(lines.join('')).not.toContain('hush')
  expect(lines.slice(0, 3).every((line) => line.includes('[redacted]'))).toBe(true)
})

test('a level that is not wanted writes nothing', () => {
  const { log, lines } = open('warn')
  log.info({ status: 200 }, 'answered')
  log.debug('words')
  expect([lines, log.level]).toEqual([[], 'warn'])
})
