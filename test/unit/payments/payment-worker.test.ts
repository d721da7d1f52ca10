import { expect, test } from 'vitest'
import { createPaymentWorker } from '../../../src/payments/payment-worker.ts'
import type { PaymentProvider } from '../../../src/payments/provider.ts'
import { ProviderError } from '../../../src/payments/provider-error.ts'
import { aFile, inState, NOW } from '../../support/payments/payment-file.ts'

/** Milliseconds until the next attempt of a payment whose provider fails. */
async function waitAfter(failures: number, error: Error): Promise<number> {
  const waits: (number | undefined)[] = []
  const bugs: unknown[] = []
  const file = aFile(inState('held'))
  const worker = createPaymentWorker({
    clock: { now: () => NOW },
    provider: { capabilities: { keyLifeMs: 0 }, look: () => Promise.reject(error) } as unknown as PaymentProvider,
    payments: {
      read: async () => file,
      save: async () => file,
      unclaimed: async () => [],
      claimDue: async () => [
        { kind: 'payment', subject: 'pay_1', lease_until: NOW, attempts: 1, failures, since: NOW } as never,
      ],
      release: async (_task, dueAt) => waits.push(dueAt) > 0,
    },
    onBug: (bug) => bugs.push(bug),
  })
  await worker.run()
  expect(waits).toHaveLength(1)
  expect(bugs).toEqual(error instanceof ProviderError ? [] : [error])
  return (waits[0] ?? 0) - NOW
}

test.each([
  [0, 1_000],
  [1, 2_000],
  [8, 256_000],
  [9, 300_000],
  [1_000, 300_000],
])(
  'after %i failures of the provider a payment waits %i ms, never more than five minutes',
  async (failures, waitMs) => {
    await expect(waitAfter(failures, new ProviderError('unavailable', 'unknown'))).resolves.toBe(waitMs)
    await expect(waitAfter(failures, new Error('a bug'))).resolves.toBe(waitMs)
  },
)

test('a provider that names a longer wait is not asked earlier', async () => {
  const throttled = new ProviderError('throttled', 'none', { retryAfterMs: 600_000 })
  await expect(waitAfter(0, throttled)).resolves.toBe(600_000)
})
