import { describe, expect, test } from 'vitest'
import { createSharedAnswers } from '../../../src/search/shared-answers.ts'
import { manualClock } from '../../support/time/clock.ts'

const itemsOf = (answer: string) => [answer]
const forever = () => new AbortController().signal

/** A question whose answer the test gives, and that knows how often it was asked and whether it was dropped. */
function question() {
  const asked: { signal: AbortSignal; answer(value: string): void; fail(error: Error): void }[] = []
  const ask = (signal: AbortSignal) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    asked.push({ signal, answer: resolve, fail: reject })
    signal.addEventListener('abort', () => reject(signal.reason))
    return promise
  }
  return { ask, asked }
}

describe('shared answers', () => {
  test('all who ask while it is under way get the one answer', async () => {
    const answers = createSharedAnswers<string>(manualClock(), { reuseMs: 1_000, itemsOf })
    const { ask, asked } = question()
    const waiting = Array.from({ length: 5 }, () => answers('k', forever(), ask))
    asked[0]?.answer('yes')
    expect(await Promise.all(waiting)).toEqual(Array(5).fill('yes'))
    expect(asked).toHaveLength(1)
  })

  test('the answer serves until its time is over, and no other key', async () => {
    const clock = manualClock()
    const answers = createSharedAnswers<string>(clock, { reuseMs: 1_000, itemsOf })
    const { ask, asked } = question()
    const first = answers('k', forever(), ask)
    asked[0]?.answer('one')
    await first
    clock.turn(999)
    expect(await answers('k', forever(), ask)).toBe('one')
    void answers('other', forever(), ask).catch(() => undefined)
    expect(asked).toHaveLength(2)
    clock.turn(2)
    const again = answers('k', forever(), ask)
    asked[2]?.answer('two')
    expect(await again).toBe('two')
  })

  test('a failure is told to those who wait and to nobody after them', async () => {
    const answers = createSharedAnswers<string>(manualClock(), { reuseMs: 1_000, itemsOf })
    const { ask, asked } = question()
    const waiting = [answers('k', forever(), ask), answers('k', forever(), ask)]
    asked[0]?.fail(new Error('down'))
    for (const one of waiting) await expect(one).rejects.toThrow('down')
    const again = answers('k', forever(), ask)
    asked[1]?.answer('up')
    expect(await again).toBe('up')
  })

  test('who leaves is gone at once; the question lives while anybody waits and dies with the last', async () => {
    const answers = createSharedAnswers<string>(manualClock(), { reuseMs: 1_000, itemsOf })
    const { ask, asked } = question()
    const [one, two] = [new AbortController(), new AbortController()]
    const first = answers('k', one.signal, ask)
    const second = answers('k', two.signal, ask)
    one.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    expect(asked[0]?.signal.aborted).toBe(false)
    two.abort(new Error('left too'))
    await expect(second).rejects.toThrow('left too')
    expect(asked[0]?.signal.aborted).toBe(true)
    const third = answers('k', forever(), ask)
    asked[1]?.answer('fresh')
    expect(await third).toBe('fresh')
  })

  test('somebody who comes with no time left does not spoil it for others', async () => {
    const answers = createSharedAnswers<string>(manualClock(), { reuseMs: 1_000, itemsOf })
    const { ask, asked } = question()
    const patient = answers('k', forever(), ask)
    await expect(answers('k', AbortSignal.abort(new Error('late')), ask)).rejects.toThrow('late')
    asked[0]?.answer('yes')
    expect(await patient).toBe('yes')
  })

  test('for somebody who has left already nobody is asked', async () => {
    const answers = createSharedAnswers<string>(manualClock(), { reuseMs: 1_000, itemsOf })
    const { ask, asked } = question()
    await expect(answers('k', AbortSignal.abort(new Error('gone')), ask)).rejects.toThrow('gone')
    expect(asked).toEqual([])
  })

  test('an answer that is not to be kept serves those who wait for it and nobody after them', async () => {
    const isKept = (answer: string) => answer !== 'half'
    const answers = createSharedAnswers<string>(manualClock(), { reuseMs: 1_000, itemsOf, isKept })
    const { ask, asked } = question()
    const waiting = [answers('k', forever(), ask), answers('k', forever(), ask)]
    asked[0]?.answer('half')
    expect(await Promise.all(waiting)).toEqual(['half', 'half'])
    const again = answers('k', forever(), ask)
    asked[1]?.answer('whole')
    expect(await again).toBe('whole')
  })

  test('an answer that cannot be measured serves those who wait, is not kept, and breaks nothing', async () => {
    const noItems = () => {
      throw new Error('an adapter of ours is wrong')
    }
    const answers = createSharedAnswers<string>(manualClock(), { reuseMs: 1_000, itemsOf: noItems })
    const { ask, asked } = question()
    for (const nth of [0, 1]) {
      const one = answers('k', forever(), ask)
      asked[nth]?.answer('odd')
      expect(await one).toBe('odd')
    }
  })

  test('what is kept is bounded; what somebody waits for is never dropped for it', async () => {
    const answers = createSharedAnswers<string>(manualClock(), { reuseMs: 1_000_000, itemsOf, bytesMax: 4_096 })
    const { ask, asked } = question()
    const patient = answers('patient', forever(), ask)
    for (let at = 0; at < 50; at += 1) {
      const one = answers(`k${at}`, forever(), ask)
      asked.at(-1)?.answer('x')
      await one
    }
    expect(asked).toHaveLength(51)
    void answers('k0', forever(), ask).catch(() => undefined)
    expect(asked).toHaveLength(52)
    const joined = answers('patient', forever(), ask)
    asked[0]?.answer('at last')
    expect(await Promise.all([patient, joined])).toEqual(['at last', 'at last'])
    expect(asked).toHaveLength(52)
  })

  test('long answers count for more than short ones', async () => {
    const offers = (count: number) => Array.from({ length: count }, (_, at) => `offer ${at} of a hotel`)
    const answers = createSharedAnswers<readonly string[]>(manualClock(), {
      reuseMs: 1_000_000,
      itemsOf: (answer) => answer,
      bytesMax: 100_000,
    })
    let asked = 0
    const answer = (key: string, count: number) =>
      answers(key, forever(), async () => {
        asked += 1
        return offers(count)
      })
    for (let at = 0; at < 100; at += 1) await answer(`short ${at}`, 3)
    for (let at = 0; at < 100; at += 1) await answer(`short ${at}`, 3)
    expect(asked).toBe(100)
    for (let at = 0; at < 4; at += 1) await answer(`long ${at}`, 1_000)
    await answer('long 3', 1_000)
    await answer('long 0', 1_000)
    await answer('short 0', 3)
    expect(asked).toBe(106)
  })
})
