import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AppError } from '../../../src/domain/errors.ts'
import { createOneAtATime } from '../../../src/http/limits/one-at-a-time.ts'

/** Records the order and concurrency of several callers' work. */
function setUp() {
  const inTurn = createOneAtATime(4, () => new AppError('rate_limited', 'Too many.'))
  const seen = { started: [] as string[], running: 0, maxRunning: 0 }
  const ask = (caller: string, raw = new EventEmitter() as ServerResponse) =>
    inTurn(caller, raw, async () => {
      seen.started.push(caller)
      seen.running += 1
      seen.maxRunning = Math.max(seen.maxRunning, seen.running)
      await after(2)
      seen.running -= 1
      if (caller === 'broken') throw new Error('no font')
      return caller
    })
  return { seen, ask }
}

test('work is done one at a time, and a caller with many requests does not delay the others', async () => {
  const { seen, ask } = setUp()
  const all = [...Array.from({ length: 5 }, () => ask('many')), ask('one')]
  expect(await Promise.all(all)).toHaveLength(6)
  expect(seen.maxRunning).toBe(1)
  expect(seen.started.indexOf('one')).toBeLessThanOrEqual(2)
})

test('only a caller with too many waiting requests is refused', async () => {
  const { ask } = setUp()
  const all = Array.from({ length: 50 }, () => ask('many'))
  const other = ask('one')
  const outcomes = await Promise.allSettled(all)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(await other).toBe('one')
})

test('a failed request or a client that disconnected does not block the queue', async () => {
  const { seen, ask } = setUp()
  const broken = ask('broken')
  const gone = new EventEmitter() as ServerResponse
  void ask('gone', gone)
  const last = ask('last')
  gone.emit('close')
  await expect(broken).rejects.toThrow('no font')
  expect(await last).toBe('last')
  expect(seen.started).toEqual(['broken', 'last'])
})
