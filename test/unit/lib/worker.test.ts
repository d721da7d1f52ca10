import { expect, test } from 'vitest'
import { createWorker } from '../../../src/lib/async/worker.ts'

const AT_ONCE = 3

/** Worker on a queue of items: `slow` ones wait for `endSlow`, and `bad` ones throw. */
function startWorker(waiting: string[]) {
  const slow = Promise.withResolvers<void>()
  const done: string[] = []
  const bugs: unknown[] = []
  let isDraining = false
  let maxRunning = 0
  const worker = createWorker<string>({
    name: 'test',
    async claim(running) {
      maxRunning = Math.max(maxRunning, running.length)
      const busy = running.filter((item) => item.startsWith('slow')).length
      const slowOnes = waiting.filter((item) => item.startsWith('slow')).slice(0, 2 - busy)
      const others = waiting.filter((item) => !item.startsWith('slow'))
      const claimed = [...slowOnes, ...others].slice(0, AT_ONCE - running.length)
      for (const item of claimed) waiting.splice(waiting.indexOf(item), 1)
      return claimed
    },
    async work(item) {
      if (item.startsWith('bad')) throw new TypeError('ours')
      if (item.startsWith('slow')) await slow.promise
      done.push(item)
      return item.startsWith('last') ? false : undefined
    },
    onBug: (_error, item) => bugs.push(item),
    isDraining: () => isDraining,
  })
  const drainNow = () => {
    isDraining = true
  }
  return { worker, done, bugs, endSlow: slow.resolve, drainNow, maxRunning: () => maxRunning }
}

test('all due items are processed, a few at a time', async () => {
  const { worker, done, maxRunning } = startWorker(Array.from({ length: 23 }, (_, n) => `item${n}`))
  expect(await worker.runAll()).toBe(23)
  expect(done).toHaveLength(23)
  expect(maxRunning()).toBeLessThanOrEqual(AT_ONCE)
})

test('a slow item occupies its own place and delays no other item', async () => {
  const { worker, done, endSlow } = startWorker(['slow1', 'slow2', 'slow3', 'a', 'b', 'c'])
  for (let runs = 0; runs < 5; runs += 1) await worker.run(5)
  expect(done).toEqual(['a', 'b', 'c'])
  endSlow()
  await worker.drain()
  expect(done).toEqual(['a', 'b', 'c', 'slow1', 'slow2'])
  expect(await worker.runAll()).toBe(1)
})

test('an exception in one item is reported, the others are processed, and its place is free again', async () => {
  const { worker, done, bugs } = startWorker(['bad1', 'a', 'bad2', 'bad3', 'b', 'c'])
  await worker.runAll()
  expect(done).toEqual(['a', 'b', 'c'])
  expect(bugs).toEqual(['bad1', 'bad2', 'bad3'])
})

test('a draining worker completes running items and starts none', async () => {
  const { worker, done, drainNow, endSlow } = startWorker(['slow1', 'a'])
  await worker.run(5)
  drainNow()
  endSlow()
  await worker.drain()
  expect(done).toEqual(['a', 'slow1'])
  expect(await worker.run()).toBe(0)
})

test('an item whose work returns false leaves the rest to the next scheduled run', async () => {
  const { worker, done } = startWorker(['a', 'last', 'b', 'c', 'd'])
  expect(await worker.runAll()).toBe(0)
  expect(done).toEqual(['a', 'last', 'b'])
})
