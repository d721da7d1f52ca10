import { afterEach, expect, test, vi } from 'vitest'
import { stopOnSignal } from '../../../src/process/serve.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
const before = SIGNALS.map((signal) => process.listeners(signal))
const added = () =>
  SIGNALS.map((signal, index) => process.listeners(signal).filter((listener) => !before[index]?.includes(listener)))
afterEach(() => {
  for (const [index, listeners] of added().entries())
    for (const listener of listeners) process.off(SIGNALS[index] ?? 'SIGTERM', listener)
  vi.restoreAllMocks()
})

test('a signal ends a starting process at once and a serving one gracefully', () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
  const orderly = vi.fn(async () => undefined)
  const stop = stopOnSignal()
  const send = () => {
    for (const [index, listeners] of added().entries())
      for (const listener of listeners) listener(SIGNALS[index] ?? 'SIGTERM')
  }
  send()
  expect([exit.mock.calls, orderly.mock.calls]).toEqual([[[0], [0]], []])
  stop.setHandler(orderly)
  send()
  expect([exit.mock.calls.length, orderly.mock.calls.length]).toEqual([2, 2])
})
