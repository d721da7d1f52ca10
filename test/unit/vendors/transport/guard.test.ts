import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createGuard } from '../../../../src/vendors/transport/guard.ts'
import { VendorError } from '../../../../src/vendors/vendor-error.ts'

const LIMIT = 40
const reply = { status: 200, headers: {}, body: {} }
const createContext = (signal: AbortSignal) => ({ signal, requestId: 'test' })
const late = () => new VendorError('alpha', 'timeout', 'none')
const deadline = () => AbortSignal.abort(new DOMException('deadline passed', 'TimeoutError'))
const hangUp = () => AbortSignal.abort(new DOMException('client gone', 'AbortError'))

afterEach(() => {
  vi.useRealTimers()
})

/** Sends as many calls as the limit allows, and aborts all of them after this time. */
async function abandonAll(reason: AbortSignal['reason'], afterMs: number) {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  const guard = createGuard('search', LIMIT)
  const controller = new AbortController()
  const sent = Promise.withResolvers<never>()
  const calls = Array.from({ length: LIMIT }, () =>
    guard.run('alpha', createContext(controller.signal), () => sent.promise).catch((error) => error),
  )
  // Each call is sent by then.
  await nextTurn()
  vi.advanceTimersByTime(afterMs)
  controller.abort(reason)
  sent.reject(late())
  for (const error of await Promise.all(calls)) expect(error).toMatchObject({ fault: 'timeout' })
  return guard.state()
}

describe('calls without a response', () => {
  test.each([
    ['after the client disconnects do not open the breaker', hangUp().reason, 9_000, 'closed'],
    ['within a short deadline do not open the breaker', deadline().reason, 600, 'closed'],
    ['within a normal deadline open the breaker', deadline().reason, 2_500, 'open'],
  ])('%s', async (_, reason, afterMs, state) => {
    expect(await abandonAll(reason, afterMs)).toBe(state)
  })
})

test('a call abandoned in the queue is never sent', async () => {
  const guard = createGuard('book', 1)
  const first = Promise.withResolvers<typeof reply>()
  const running = guard.run('alpha', createContext(new AbortController().signal), () => first.promise)
  const controller = new AbortController()
  const attempt = vi.fn(async () => reply)
  const waiting = guard.run('alpha', createContext(controller.signal), attempt).catch((error) => error)
  controller.abort(deadline().reason)
  first.resolve(reply)
  expect(await running).toBe(reply)
  expect(await waiting).toMatchObject({ fault: 'timeout', effect: 'none' })
  expect(attempt).not.toHaveBeenCalled()
})
