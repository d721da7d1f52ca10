import type { CardPayments } from '../../../src/booking/card-payments.ts'
import type { OnMove } from '../../../src/booking/store/moves.ts'
import type { Clock } from '../../../src/lib/time/clock.ts'
import type { CreatePayment } from '../../../src/payments/create-payment.ts'
import type { PaymentProvider } from '../../../src/payments/provider.ts'
import type { ReceiveNotification } from '../../../src/payments/receive-notification.ts'
import type { ShowPayments } from '../../../src/payments/show-payment.ts'
import type { PaymentStore } from '../../../src/payments/store/payments.ts'
import type { Database } from '../../../src/store/database.ts'
import type { FaultyAccess } from '../faulty-store.ts'
import type { ProviderLedger } from './provider-ledger.ts'

/** For bugs that must know more than the code that they replace. */
export type BugTools = {
  /** Without faults. */
  readonly payments: PaymentStore
  readonly database: Database
  readonly ledger: ProviderLedger
  readonly clock: Clock
}

type CardParts = BugTools & {
  readonly provider: PaymentProvider
  readonly payments: PaymentStore
  readonly access: FaultyAccess
}

/** Replacements of the correct parts of payments. */
export type PaymentBug = {
  plantCards?(parts: CardParts): {
    readonly provider?: PaymentProvider
    readonly payments?: PaymentStore
    cards?(sound: CardPayments): CardPayments
    createPayment?(sound: CreatePayment): CreatePayment
    showPayments?(sound: ShowPayments): ShowPayments
    receive?(sound: ReceiveNotification): ReceiveNotification
  }
  follow?(sound: OnMove, tools: BugTools): OnMove
}
