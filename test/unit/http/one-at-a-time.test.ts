import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AppError } from '../../../src/domain/errors.ts'
import { createOneAtATime } from '../../../src/http/limits/one-at-a-time.ts'

/** Work of several callers, and the order in which it was done. */
function setUp() {
  const inTurn = createOneAtATime(4, () => new AppError('rate_limited', 'Too many.'))
  const seen = { begun: [] as string[], underway: 0, most: 0 }
  const ask = (who: string, raw = new EventEmitter() as ServerResponse) =>
    inTurn(who, raw, async () => {
      seen.begun.push(who)
      seen.underway += 1
      seen.most = Math.max(seen.most, seen.underway)
      await after(2)
      seen.underway -= 1
      if (who === 'broken') throw new Error('no font')
      return who
    })
  return { seen, ask }
}

test('one is done at a time, and whoever asks for many does not keep the others waiting', async () => {
  const { seen, ask } = setUp()
  const all = [...Array.from({ length: 5 }, () => ask('many')), ask('one')]
  expect(await Promise.all(all)).toHaveLength(6)
  expect(seen.most).toBe(1)
  expect(seen.begun.indexOf('one')).toBeLessThanOrEqual(2)
})

test('whoever has too many waiting is refused, and only they', async () => {
  const { ask } = setUp()
  const all = Array.from({ length: 50 }, () => ask('many'))
  const other = ask('one')
  const outcomes = await Promise.allSettled(all)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(await other).toBe('one')
})

test('one that fails or whose client has gone does not stop the line', async () => {
  const { seen, ask } = setUp()
  const broken = ask('broken')
  const gone = new EventEmitter() as ServerResponse
  void ask('gone', gone)
  const last = ask('last')
  gone.emit('close')
  await expect(broken).rejects.toThrow('no font')
  expect(await last).toBe('last')
  expect(seen.begun).toEqual(['broken', 'last'])
})
