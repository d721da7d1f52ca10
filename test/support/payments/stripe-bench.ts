import type { PartialSettings } from '../../../sandbox/server/settings.ts'
import { SANDBOX_WEBHOOK_SECRET, serveStripe, stripeEnvironment } from '../../../sandbox/stripe/serve-stripe.ts'
import type { Money } from '../../../src/domain/money/money.ts'
import type { CallContext } from '../../../src/lib/async/call-context.ts'
import { ProviderError } from '../../../src/payments/provider-error.ts'
import type { StripeCallReport } from '../../../src/payments/providers/stripe/client.ts'
import type { StripeSettings } from '../../../src/payments/providers/stripe/settings.ts'
import { createStripeProvider } from '../../../src/payments/providers/stripe/stripe.ts'
import { manualClock } from '../time/clock.ts'

/** Published test numbers of Stripe, by what they do. */
export const CARD = {
  good: '4242424242424242',
  asks3ds: '4000002760003184',
  failsAfter3ds: '4000008400001629',
  declined: '4000000000000002',
  noFunds: '4000000000009995',
  lost: '4000000000009987',
  reviewed: '4000000000009235',
  refundPending: '4000000000007726',
  refundFails: '4000000000005126',
} as const

export const inEur = (minor: number): Money => ({ minor, currency: 'EUR' })
export const context = (): CallContext => ({ requestId: 'req_test', signal: new AbortController().signal })

/** Settings that connect the adapter to a stand-in at this origin. */
export function sandboxSettings(origin: string): StripeSettings {
  const variables = stripeEnvironment(origin)
  return {
    secretKey: variables.SERAI_STRIPE_SECRET_KEY ?? '',
    publishableKey: variables.SERAI_STRIPE_PUBLISHABLE_KEY ?? '',
    webhookSecrets: [SANDBOX_WEBHOOK_SECRET],
    origin,
  }
}

/** The adapter and the stand-in, over loopback and through the official client. */
export async function openStripeBench(options: { settings?: PartialSettings; timeoutMs?: number; path?: string } = {}) {
  const { timeoutMs = 10_000, settings = {}, path } = options
  const clock = manualClock()
  const reports: StripeCallReport[] = []
  const standIn = serveStripe({ clock, settings, path })
  const { origin } = await standIn.listen()
  const connect = (more: Partial<StripeSettings> = {}) =>
    createStripeProvider(
      { ...sandboxSettings(origin), ...more },
      { clock, timeoutMs, onCall: (report) => reports.push(report) },
    )
  const provider = connect()
  let count = 0
  return {
    clock,
    origin,
    provider,
    connect,
    reports,
    control: standIn.control,
    /** Creates a payment of ours. */
    async create(amount: Money = inEur(22_990), paymentId = `pay_${count}`) {
      count += 1
      const order = { paymentId, amount, description: 'Serai booking' }
      return (await provider.create(order, `${paymentId}:create`, context())).reference
    },
    /** Creates a payment and authorises it with the guest's card. */
    async authorise(amount?: Money, card: string = CARD.good) {
      const reference = await this.create(amount)
      await standIn.control.confirm(reference, card)
      return reference
    },
    async close() {
      await provider.close()
      await standIn.close()
    },
  }
}

export type StripeBench = Awaited<ReturnType<typeof openStripeBench>>

/** Fault and effect of a rejected call. */
export async function failureOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ProviderError)) throw new Error(`not a ProviderError: ${String(error)}`)
  return `${error.fault} ${error.effect}`
}
