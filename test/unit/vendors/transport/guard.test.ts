import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createGuard } from '../../../../src/vendors/transport/guard.ts'
import { VendorError } from '../../../../src/vendors/vendor-error.ts'

const LIMIT = 40
const reply = { status: 200, headers: {}, body: {} }
const contextOf = (signal: AbortSignal) => ({ signal, requestId: 'test' })
const late = () => new VendorError('alpha', 'timeout', 'none')
const deadline = () => AbortSignal.abort(new DOMException('deadline passed', 'TimeoutError'))
const hangUp = () => AbortSignal.abort(new DOMException('client gone', 'AbortError'))

afterEach(() => {
  vi.useRealTimers()
})

/** As many calls at once as there may be; each is sent, takes this long and has then no answer, because its signal is aborted. */
async function giveUpAll(reason: AbortSignal['reason'], afterMs: number) {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  const guard = createGuard('search', LIMIT)
  const given = new AbortController()
  const sent = Promise.withResolvers<never>()
  const calls = Array.from({ length: LIMIT }, () =>
    guard.run('alpha', contextOf(given.signal), () => sent.promise).catch((error) => error),
  )
  // Each call is sent by then.
  await nextTurn()
  vi.advanceTimersByTime(afterMs)
  given.abort(reason)
  sent.reject(late())
  for (const error of await Promise.all(calls)) expect(error).toMatchObject({ fault: 'timeout' })
  return guard.state()
}

describe('calls that end without an answer', () => {
  test.each([
    ['because the client hung up do not open the breaker', hangUp().reason, 9_000, 'closed'],
    ['within a deadline that leaves little time do not open it', deadline().reason, 600, 'closed'],
    ['within any other deadline open it', deadline().reason, 2_500, 'open'],
  ])('%s', async (_, reason, afterMs, state) => {
    expect(await giveUpAll(reason, afterMs)).toBe(state)
  })
})

test('a call that is given up while it waits for its turn is never sent', async () => {
  const guard = createGuard('book', 1)
  const first = Promise.withResolvers<typeof reply>()
  const running = guard.run('alpha', contextOf(new AbortController().signal), () => first.promise)
  const given = new AbortController()
  const attempt = vi.fn(async () => reply)
  const waiting = guard.run('alpha', contextOf(given.signal), attempt).catch((error) => error)
  given.abort(deadline().reason)
  first.resolve(reply)
  expect(await running).toBe(reply)
  expect(await waiting).toMatchObject({ fault: 'timeout', effect: 'none' })
  expect(attempt).not.toHaveBeenCalled()
})
