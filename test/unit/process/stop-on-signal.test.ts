import { afterEach, expect, test, vi } from 'vitest'
import { stopOnSignal } from '../../../src/process/serve.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
const before = SIGNALS.map((signal) => process.listeners(signal))
const added = () => SIGNALS.map((signal, at) => process.listeners(signal).filter((one) => !before[at]?.includes(one)))
afterEach(() => {
  for (const [at, listeners] of added().entries())
    for (const listener of listeners) process.off(SIGNALS[at] ?? 'SIGTERM', listener)
  vi.restoreAllMocks()
})

test('a signal ends a process that is still starting at once, and one that serves in order', () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
  const orderly = vi.fn(async () => undefined)
  const stop = stopOnSignal()
  const send = () => {
    for (const [at, listeners] of added().entries())
      for (const listener of listeners) listener(SIGNALS[at] ?? 'SIGTERM')
  }
  send()
  expect([exit.mock.calls, orderly.mock.calls]).toEqual([[[0], [0]], []])
  stop.by(orderly)
  send()
  expect([exit.mock.calls.length, orderly.mock.calls.length]).toEqual([2, 2])
})
