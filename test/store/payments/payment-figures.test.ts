import { Registry } from 'prom-client'
import { beforeEach, expect, test } from 'vitest'
import type { Payment, PaymentState } from '../../../src/domain/payment/payment.ts'
import { addPaymentMetrics } from '../../../src/payments/metrics.ts'
import { countPayments } from '../../../src/payments/store/payment-figures.ts'
import { createPaymentStore } from '../../../src/payments/store/payments.ts'
import { aFile, inState, NOW } from '../../support/payments/payment-file.ts'
import { onBothDatabases } from '../../support/store/databases.ts'
import { manualClock } from '../../support/time/clock.ts'

onBothDatabases('metrics of payments', (open) => {
  beforeEach(() =>
    open().write(async (tx) => {
      await tx.deleteFrom('payment_operations').execute()
      await tx.deleteFrom('payments').execute()
    }),
  )

  async function add(...payments: readonly (readonly [PaymentState, Partial<Payment>])[]): Promise<void> {
    const store = createPaymentStore(open(), { lock: async () => {}, tell: async () => {} })
    for (const [index, [state, changed]] of payments.entries()) {
      const unique = { paymentId: `pay_${index}`, offerId: `off_${index}`, reference: `pi_${index}` }
      const bookingId = ['creating', 'open', 'authorised'].includes(state) ? undefined : `bkg_${index}`
      const operations = aFile(inState(state, { ...unique, bookingId, ...changed })).operations
      const file = {
        ...aFile(inState(state, { ...unique, bookingId, ...changed })),
        operations: operations.map((operation) => ({ ...operation, key: `${index}:${operation.key}` })),
      }
      expect(await store.add(file, undefined, NOW)).toBe(true)
    }
  }

  async function scrape(count = () => countPayments(open())): Promise<Record<string, number>> {
    const registry = new Registry()
    const bugs: unknown[] = []
    addPaymentMetrics(registry, { clock: manualClock(NOW), count, onBug: (error) => bugs.push(error) })
    const text = await registry.metrics()
    return Object.fromEntries(
      [...text.matchAll(/^(serai_\S+) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
    )
  }

  test('payments are counted by state and mode, with the age of the oldest, and those at rest are not', async () => {
    await add(
      ['capturing', { isLive: true, stateSince: NOW - 90_000 }],
      ['capturing', { isLive: true, stateSince: NOW - 30_000 }],
      ['capturing', { stateSince: NOW - 5_000 }],
      ['captured', { isLive: true }],
      ['voided', { isLive: true }],
    )
    const figures = await scrape()
    expect(figures).toMatchObject({
      'serai_payments{state="capturing",live="true"}': 2,
      'serai_payments{state="capturing",live="false"}': 1,
      'serai_payments{state="held",live="true"}': 0,
      'serai_payments_oldest_seconds{state="capturing",live="true"}': 90,
      'serai_payments_oldest_seconds{state="capturing",live="false"}': 5,
      'serai_payments_oldest_seconds{state="held",live="true"}': 0,
    })
    expect(Object.keys(figures).filter((name) => /captured|voided|attention/.test(name))).toEqual([])
  })

  test('payments that an operator should look at are counted by reason, in every state', async () => {
    await add(
      ['needs_review', { isLive: true, reason: 'uncollected' }],
      ['captured', { isLive: true, reason: 'refund_failed' }],
      ['captured', { isLive: true, reason: 'refund_failed' }],
      ['held', { reason: 'hold_ending' }],
    )
    expect(await scrape()).toMatchObject({
      'serai_payments_attention{reason="uncollected",live="true"}': 1,
      'serai_payments_attention{reason="refund_failed",live="true"}': 2,
      'serai_payments_attention{reason="hold_ending",live="false"}': 1,
    })
  })

  test('while the database cannot be read there are no figures', async () => {
    expect(await scrape(() => Promise.reject(new Error('down')))).toEqual({})
  })
})
