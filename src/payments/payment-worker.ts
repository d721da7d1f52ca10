import { createWorker, type Worker } from '../lib/async/worker.ts'
import { MINUTE_MS } from '../lib/time/durations.ts'
import type { Task } from '../store/tasks.ts'
import { type DriveDeps, drivePayment } from './drive-payment.ts'
import { ProviderError } from './provider-error.ts'
import type { PaymentStore } from './store/payments.ts'

type Deps = Omit<DriveDeps, 'isClaimed' | 'payments'> & {
  readonly payments: Pick<PaymentStore, 'read' | 'save' | 'unclaimed' | 'claimDue' | 'release'>
  onBug(error: unknown, paymentId: string): void
}

const AT_ONCE = 8
const RETRY_MAX_MS = 5 * MINUTE_MS

/** Drives captured minus refunded of every payment to what the guest owes. Never decides the outcome of a booking. */
export function createPaymentWorker(deps: Deps): Worker {
  return createWorker<Task>({
    name: 'payment',
    claim: async (running) => {
      const free = AT_ONCE - running.length
      return free <= 0 ? [] : deps.payments.claimDue(deps.clock.now(), free)
    },
    async work(task) {
      const { subject } = task
      try {
        await deps.payments.release(task, await drivePayment({ ...deps, isClaimed: true }, subject))
      } catch (error) {
        if (!(error instanceof ProviderError)) deps.onBug(error, subject)
        const retryAfterMs = error instanceof ProviderError ? (error.retryAfterMs ?? 0) : 0
        await deps.payments.release(task, deps.clock.now() + Math.max(retryAfterMs, backoffMs(task.failures)), true)
      }
      return undefined
    },
    onBug: (error, { subject }) => deps.onBug(error, subject),
  })
}

/** Back-off from a second to five minutes, so that an unneeded authorisation ends within ten minutes of an outage. */
const backoffMs = (failures: number): number => Math.min(RETRY_MAX_MS, 1_000 * 2 ** Math.min(failures, 10))
