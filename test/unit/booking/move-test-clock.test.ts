import { expect, test } from 'vitest'
import { createMoveTestClock } from '../../../src/booking/move-test-clock.ts'

const HOUR = 3_600_000

/** Rounds that last until the test ends them, with a record of what happened. */
function scripted(answerWithinMs?: number) {
  const seen = { reading: 0, readingAtOnce: 0, readings: 0, deliveries: 0, moved: [] as string[] }
  const held: (() => void)[] = []
  const script = { isHeld: true, failure: undefined as Error | undefined }
  const move = createMoveTestClock({
    clock: { now: () => 1_000 },
    bookings: {
      async advanceTestTime({ accountId }, ms) {
        seen.moved.push(accountId)
        return ms
      },
    },
    async readBookings() {
      seen.readings += 1
      seen.reading += 1
      seen.readingAtOnce = Math.max(seen.readingAtOnce, seen.reading)
      if (script.isHeld) await new Promise<void>((end) => held.push(end))
      seen.reading -= 1
      if (script.failure !== undefined) throw script.failure
      return 0
    },
    async deliver() {
      seen.deliveries += 1
      return 0
    },
    ...(answerWithinMs === undefined ? {} : { answerWithinMs }),
  })
  const release = () => {
    script.isHeld = false
    for (const end of held.splice(0)) end()
  }
  return { move, seen, script, release, isReading: () => held.length > 0 }
}

test('concurrent calls never run rounds in parallel: those that arrive during a run share the next one', async () => {
  const { move, seen, release, isReading } = scripted()
  const first = move({ accountId: 'acc_1' }, 1)
  await expect.poll(isReading).toBe(true)
  const others = Array.from({ length: 20 }, (_, index) => move({ accountId: `acc_other_${index}` }, 2))
  await expect.poll(() => seen.moved).toHaveLength(21)
  release()
  expect(await first).toBe(1_000 + HOUR)
  expect(await Promise.all(others)).toEqual(others.map(() => 1_000 + 2 * HOUR))
  expect([seen.readingAtOnce, seen.readings]).toEqual([1, 2])
  expect(seen.deliveries).toBeLessThanOrEqual(2)
})

test('a call returns after its time limit even if the rounds have not finished, and so do the calls that wait for it', async () => {
  const { move, seen, release, isReading } = scripted(50)
  const first = move({ accountId: 'acc_1' }, 1)
  await expect.poll(isReading).toBe(true)
  expect(await Promise.all([first, move({ accountId: 'acc_2' }, 1)])).toEqual([1_000 + HOUR, 1_000 + HOUR])
  expect(isReading()).toBe(true)
  expect(seen.deliveries).toBe(0)
  release()
})

test('rounds that always find more work end after the time limit of a call, even in the background', async () => {
  let rounds = 0
  const move = createMoveTestClock({
    clock: { now: () => 0 },
    bookings: { advanceTestTime: async (_accountId, ms) => ms },
    async readBookings() {
      rounds += 1
      await new Promise((later) => setTimeout(later, 20))
      return 1
    },
    deliver: async () => 0,
    answerWithinMs: 30,
  })
  expect(await move({ accountId: 'acc_1' }, 1)).toBe(HOUR)
  await new Promise((later) => setTimeout(later, 100))
  expect(rounds).toBeLessThanOrEqual(2)
})

test('a failed round is reported to its caller and does not stop later runs', async () => {
  const { move, seen, script } = scripted()
  script.isHeld = false
  script.failure = new Error('the database is gone')
  await expect(move({ accountId: 'acc_1' }, 1)).rejects.toThrow('the database is gone')
  script.failure = undefined
  expect(await move({ accountId: 'acc_1' }, 1)).toBe(1_000 + HOUR)
  expect([seen.readings, seen.deliveries]).toEqual([2, 1])
})
