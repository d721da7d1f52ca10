import { expect, test } from 'vitest'
import { createTurns } from '../../../../src/vendors/transport/turns.ts'

const forever = new AbortController().signal

/** Calls that end when they are told to, in the order in which they began. */
function openRig(limit: number) {
  const turns = createTurns(limit)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const outcomes: Promise<string>[] = []
  return {
    turns,
    begun,
    ask(accountId: string, signal = forever) {
      const call = () => {
        begun.push(accountId)
        return new Promise<void>((end) => ends.push(end))
      }
      outcomes.push(
        turns.run(accountId, signal, call).then(
          () => 'done',
          ({ why }) => why,
        ),
      )
    },
    async endAll() {
      for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
        end()
        await new Promise((later) => setImmediate(later))
      }
      return Promise.all(outcomes)
    },
  }
}

test('an account with many calls does not keep another one out: they take turns, and only its own are too many', async () => {
  const { ask, endAll, begun, turns } = openRig(3)
  for (let at = 0; at < 8; at += 1) ask('busy')
  for (let at = 0; at < 2; at += 1) ask('quiet')
  expect(turns.running()).toBe(3)
  const outcomes = await endAll()
  expect(begun).toEqual(['busy', 'busy', 'busy', 'busy', 'quiet', 'busy', 'quiet', 'busy'])
  expect(outcomes).toEqual([...Array(6).fill('done'), 'full', 'full', 'done', 'done'])
  expect(turns.running()).toBe(0)
})

test('whoever gives up leaves the line at once, and a place that nobody waits for is free again', async () => {
  const { ask, endAll, begun, turns } = openRig(1)
  const gone = new AbortController()
  ask('one')
  ask('two', gone.signal)
  ask('three')
  ask('four', AbortSignal.abort())
  gone.abort()
  expect(await endAll()).toEqual(['done', 'given_up', 'done', 'given_up'])
  expect(begun).toEqual(['one', 'three'])
  expect(turns.running()).toBe(0)
})
