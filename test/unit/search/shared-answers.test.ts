import { describe, expect, test } from 'vitest'
import { createSharedAnswers } from '../../../src/search/shared-answers.ts'
import { manualClock } from '../../support/time/clock.ts'

const itemsOf = (answer: string) => [answer]
const neverAborted = () => new AbortController().signal

/** A question that the test answers, with its calls and their signals recorded. */
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
  test('concurrent callers share one answer', async () => {
    const answers = createSharedAnswers<string>(manualClock(), { reuseMs: 1_000, listItems: itemsOf })
    const { ask, asked } = question()
    const waiting = Array.from({ length: 5 }, () => answers('k', neverAborted(), ask))
    asked[0]?.answer('yes')
    expect(await Promise.all(waiting)).toEqual(Array(5).fill('yes'))
    expect(asked).toHaveLength(1)
  })

  test('an answer is reused until it expires, and only for its key', async () => {
    const clock = manualClock()
    const answers = createSharedAnswers<string>(clock, { reuseMs: 1_000, listItems: itemsOf })
    const { ask, asked } = question()
    const first = answers('k', neverAborted(), ask)
    asked[0]?.answer('one')
    await first
    clock.advance(999)
    expect(await answers('k', neverAborted(), ask)).toBe('one')
    void answers('other', neverAborted(), ask).catch(() => undefined)
    expect(asked).toHaveLength(2)
    clock.advance(2)
    const again = answers('k', neverAborted(), ask)
    asked[2]?.answer('two')
    expect(await again).toBe('two')
  })

  test('a failure reaches the waiting callers and is not reused', async () => {
    const answers = createSharedAnswers<string>(manualClock(), { reuseMs: 1_000, listItems: itemsOf })
    const { ask, asked } = question()
    const waiting = [answers('k', neverAborted(), ask), answers('k', neverAborted(), ask)]
    asked[0]?.fail(new Error('down'))
    for (const answer of waiting) await expect(answer).rejects.toThrow('down')
    const again = answers('k', neverAborted(), ask)
    asked[1]?.answer('up')
    expect(await again).toBe('up')
  })

  test('a caller that leaves is released at once, and the question is aborted with the last one', async () => {
    const answers = createSharedAnswers<string>(manualClock(), { reuseMs: 1_000, listItems: itemsOf })
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
    const third = answers('k', neverAborted(), ask)
    asked[1]?.answer('fresh')
    expect(await third).toBe('fresh')
  })

  test('a caller whose signal is already aborted does not affect the others', async () => {
    const answers = createSharedAnswers<string>(manualClock(), { reuseMs: 1_000, listItems: itemsOf })
    const { ask, asked } = question()
    const patient = answers('k', neverAborted(), ask)
    await expect(answers('k', AbortSignal.abort(new Error('late')), ask)).rejects.toThrow('late')
    asked[0]?.answer('yes')
    expect(await patient).toBe('yes')
  })

  test('nothing is asked for a caller whose signal is already aborted', async () => {
    const answers = createSharedAnswers<string>(manualClock(), { reuseMs: 1_000, listItems: itemsOf })
    const { ask, asked } = question()
    await expect(answers('k', AbortSignal.abort(new Error('gone')), ask)).rejects.toThrow('gone')
    expect(asked).toEqual([])
  })

  test('an answer that is not kept reaches the waiting callers and is not reused', async () => {
    const isKept = (answer: string) => answer !== 'half'
    const answers = createSharedAnswers<string>(manualClock(), {
      reuseMs: 1_000,
      listItems: itemsOf,
      isReusable: isKept,
    })
    const { ask, asked } = question()
    const waiting = [answers('k', neverAborted(), ask), answers('k', neverAborted(), ask)]
    asked[0]?.answer('half')
    expect(await Promise.all(waiting)).toEqual(['half', 'half'])
    const again = answers('k', neverAborted(), ask)
    asked[1]?.answer('whole')
    expect(await again).toBe('whole')
  })

  test('an answer whose size cannot be measured reaches the waiting callers and is not kept', async () => {
    const noItems = () => {
      throw new Error('The adapter is broken.')
    }
    const answers = createSharedAnswers<string>(manualClock(), { reuseMs: 1_000, listItems: noItems })
    const { ask, asked } = question()
    for (const index of [0, 1]) {
      const answer = answers('k', neverAborted(), ask)
      asked[index]?.answer('odd')
      expect(await answer).toBe('odd')
    }
  })

  test('the cache is limited, and an answer that callers wait for is never evicted', async () => {
    const answers = createSharedAnswers<string>(manualClock(), {
      reuseMs: 1_000_000,
      listItems: itemsOf,
      bytesMax: 4_096,
    })
    const { ask, asked } = question()
    const patient = answers('patient', neverAborted(), ask)
    for (let index = 0; index < 50; index += 1) {
      const answer = answers(`k${index}`, neverAborted(), ask)
      asked.at(-1)?.answer('x')
      await answer
    }
    expect(asked).toHaveLength(51)
    void answers('k0', neverAborted(), ask).catch(() => undefined)
    expect(asked).toHaveLength(52)
    const joined = answers('patient', neverAborted(), ask)
    asked[0]?.answer('at last')
    expect(await Promise.all([patient, joined])).toEqual(['at last', 'at last'])
    expect(asked).toHaveLength(52)
  })

  test('long answers take more of the cache than short ones', async () => {
    const offers = (count: number) => Array.from({ length: count }, (_, index) => `offer ${index} of a hotel`)
    const answers = createSharedAnswers<readonly string[]>(manualClock(), {
      reuseMs: 1_000_000,
      listItems: (answer) => answer,
      bytesMax: 100_000,
    })
    let asked = 0
    const answer = (key: string, count: number) =>
      answers(key, neverAborted(), async () => {
        asked += 1
        return offers(count)
      })
    for (let index = 0; index < 100; index += 1) await answer(`short ${index}`, 3)
    for (let index = 0; index < 100; index += 1) await answer(`short ${index}`, 3)
    expect(asked).toBe(100)
    for (let index = 0; index < 4; index += 1) await answer(`long ${index}`, 1_000)
    await answer('long 3', 1_000)
    await answer('long 0', 1_000)
    await answer('short 0', 3)
    expect(asked).toBe(106)
  })
})
