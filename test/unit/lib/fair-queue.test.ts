import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairQueue, createFairTurns } from '../../../src/lib/async/fair-queue.ts'

/** Runs callers whose turns end on demand, and records the order in which they started. */
function openRig(limits: Parameters<typeof createFairTurns>[0]) {
  const turns = createFairTurns(limits)
  const begun: string[] = []
  const held: Disposable[] = []
  const outcomes: Promise<string>[] = []
  return {
    turns,
    begun,
    held,
    ask(key: string, options?: Parameters<typeof turns.enter>[1], name = key) {
      const hold = (turn: Disposable) => {
        begun.push(name)
        held.push(turn)
        return 'done'
      }
      outcomes.push(turns.enter(key, options).then(hold, (error) => error.name ?? error))
    },
    async endAll() {
      await nextTurn()
      for (let turn = held.shift(); turn !== undefined; turn = held.shift()) {
        turn[Symbol.dispose]()
        await nextTurn()
      }
      return Promise.all(outcomes)
    },
  }
}

test('keys take turns, and a key with too many callers is refused without affecting the others', async () => {
  const { ask, endAll, begun, turns } = openRig({ running: 3, waitingPerKey: 3 })
  for (let count = 0; count < 8; count += 1) ask('busy')
  for (let count = 0; count < 2; count += 1) ask('quiet')
  expect([turns.running(), turns.waiting()]).toEqual([3, 5])
  const outcomes = await endAll()
  expect(begun).toEqual(['busy', 'busy', 'busy', 'busy', 'quiet', 'busy', 'quiet', 'busy'])
  expect(outcomes).toEqual([...Array(6).fill('done'), 'Error', 'Error', 'done', 'done'])
  expect([turns.running(), turns.waiting()]).toEqual([0, 0])
})

test('the length of the whole queue is limited too', async () => {
  const { ask, endAll } = openRig({ running: 1, waiting: 2 })
  for (const key of ['a', 'b', 'c', 'd']) ask(key)
  expect(await endAll()).toEqual(['done', 'done', 'done', 'Error'])
})

test('callers of one key start in order of arrival, after a caller with isFirst', async () => {
  const { ask, endAll, begun } = openRig({ running: 1 })
  for (const name of ['one', 'two', 'three']) ask('', {}, name)
  ask('', { isFirst: true }, 'first')
  await endAll()
  expect(begun).toEqual(['one', 'first', 'two', 'three'])
})

test('a caller that is aborted or times out while waiting leaves the queue at once', async () => {
  const { ask, endAll, begun, turns } = openRig({ running: 1 })
  const gone = new AbortController()
  ask('one')
  ask('two', { signal: gone.signal })
  ask('two', { signal: AbortSignal.timeout(1) }, 'late')
  ask('three')
  ask('four', { signal: AbortSignal.abort() })
  gone.abort()
  await expect.poll(turns.waiting).toBe(1)
  expect(await endAll()).toEqual(['done', 'AbortError', 'TimeoutError', 'done', 'AbortError'])
  expect(begun).toEqual(['one', 'three'])
  expect(turns.running()).toBe(0)
})

test('an abort after the turn has started changes nothing', async () => {
  const { ask, held, turns } = openRig({ running: 1 })
  const gone = new AbortController()
  ask('one')
  ask('two', { signal: gone.signal })
  ask('two', {}, 'next')
  await nextTurn()
  held[0]?.[Symbol.dispose]()
  gone.abort()
  await nextTurn()
  expect([held.length, turns.running(), turns.waiting()]).toEqual([2, 1, 1])
})

test('a turn ends once, however often it is disposed', async () => {
  const { ask, held, turns } = openRig({ running: 1 })
  for (const key of ['one', 'two', 'three']) ask(key)
  await nextTurn()
  held[0]?.[Symbol.dispose]()
  held[0]?.[Symbol.dispose]()
  await nextTurn()
  expect([held.length, turns.running(), turns.waiting()]).toEqual([2, 1, 1])
})

test('a key that may take half of the free places waits for the rest, and another key does not', async () => {
  const { ask, turns } = openRig({ running: 8, maxPerKey: (left) => Math.max(1, Math.floor(left / 2)) })
  for (let count = 0; count < 6; count += 1) ask('busy')
  expect([turns.running(), turns.waiting()]).toEqual([4, 2])
  ask('quiet')
  expect([turns.running(), turns.waiting()]).toEqual([5, 2])
})

test('startNext starts one caller, and only one whose key is allowed', async () => {
  const queue = createFairQueue()
  const started: string[] = []
  for (const key of ['a', 'a', 'b']) void queue.wait(key, () => started.push(key))
  expect(queue.startNext((key) => key === 'b')).toBe(true)
  expect(queue.startNext((key) => key === 'b')).toBe(false)
  expect([started, queue.size()]).toEqual([['b'], 2])
})
