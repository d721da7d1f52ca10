import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../lib/time/clock.ts'
import type { PaymentProvider } from './provider.ts'
import { paymentNotFound } from './refusals.ts'
import type { PaymentStore } from './store/payments.ts'

type Deps = {
  readonly provider: PaymentProvider
  readonly payments: Pick<PaymentStore, 'prompt' | 'noteNotification'>
  readonly clock: Clock
}

/** Number of known payments concerned. */
export type ReceiveNotification = (
  provider: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
) => Promise<number | 'unsigned'>

/** A notification only makes its payments due: the job asks the provider for their present state. */
export const createReceiveNotification =
  ({ provider, payments, clock }: Deps): ReceiveNotification =>
  async (providerId, headers, body) => {
    if (providerId !== provider.id) throw paymentNotFound()
    const notification = provider.readNotification(headers, body)
    if (notification === 'unsigned') return 'unsigned'
    if (notification === undefined) return 0
    const { eventId, type, references } = notification
    const now = clock.now()
    const known = await payments.prompt(provider.id, references, now)
    // Kept for support only: handling the same notification again changes nothing.
    if (known > 0)
      await payments.noteNotification({ provider: provider.id, eventId, type, objectId: references[0] ?? '' }, now)
    return known
  }
