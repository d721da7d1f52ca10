import { AppError } from '../domain/errors.ts'
import { minorDigits } from '../domain/money/currency.ts'
import type { Payment, PaymentEntry } from '../domain/payment/payment.ts'
import { PAYMENT_REASONS, PAYMENT_STATES } from '../domain/payment/payment.ts'
import { defineList } from '../lists/definition.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runOnSql } from '../lists/sql/run.ts'
import type { Charge } from '../lists/work.ts'
import { dueAt } from './decide/due-at.ts'
import { openOperation, type PaymentFile } from './decide/payment-file.ts'
import { isUndecided, type PaymentResolution, refundGoodwill, resolvePayment } from './decide/resolve.ts'
import { type DriveDeps, lookAtPayment } from './drive-payment.ts'
import { ProviderError } from './provider-error.ts'
import { paymentNotFound } from './refusals.ts'
import type { PaymentLists } from './store/payment-lists.ts'
import type { PaymentStore } from './store/payments.ts'

export const PAYMENT_LIST = defineList({
  fields: {
    payment_id: { type: 'string', filterable: true, nullable: false },
    state: { type: 'enum', values: PAYMENT_STATES, sortable: true, filterable: true, nullable: false },
    reason: { type: 'enum', values: PAYMENT_REASONS, filterable: true },
    booking_id: { type: 'string', filterable: true },
    account_id: { type: 'string', filterable: true, nullable: false },
    provider_reference: { type: 'string', filterable: true },
    currency: { type: 'string', filterable: true, nullable: false },
    created_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
    updated_at: { type: 'datetime', sortable: true, filterable: true, nullable: false },
  },
  tiebreaker: 'payment_id',
  defaultOrder: { orderBy: ['created_at'], orderDirections: ['desc'] },
})

export type PaymentRecords = PaymentFile & { readonly entries: readonly PaymentEntry[] }

type Deps = Omit<DriveDeps, 'isClaimed' | 'payments' | 'provider'> & {
  readonly payments: Pick<PaymentStore, 'read' | 'save' | 'unclaimed'>
  readonly lists: PaymentLists
  /** Undefined if it was switched off. */
  readonly provider: DriveDeps['provider'] | undefined
}

export type ManagePayments = ReturnType<typeof createManagePayments>

const TRIES_MAX = 3
/** Resolutions that send a request to the provider. */
const SENDING: readonly PaymentResolution[] = ['capturing', 'refunding', 'voiding']

/** Payments of all accounts, for operators. */
export function createManagePayments(deps: Deps) {
  const { lists, provider } = deps
  const show = async (paymentId: string): Promise<PaymentRecords> => {
    const file = await deps.payments.read(paymentId)
    if (file === undefined) throw paymentNotFound()
    return { ...file, entries: await lists.entries(paymentId) }
  }
  return {
    async list(plan: ListPlan, charge: Charge): Promise<ListPage<Payment>> {
      const page = await runOnSql(plan, lists.listing(), charge)
      return { ...page, data: page.data.map(lists.fromRow) }
    },

    show,

    /** Asks the provider now. */
    async look(paymentId: string): Promise<PaymentRecords> {
      const file = await show(paymentId)
      if (provider === undefined) throw notPossible('No payment provider is configured.')
      await lookNow(deps, provider, file)
      return show(paymentId)
    },

    /** In major units. Undefined: everything that is owed. */
    async refund(paymentId: string, major: number | undefined): Promise<PaymentRecords> {
      await lookFirst(deps, paymentId)
      await change(deps, paymentId, (file, at) => {
        const { owed = 0, currency } = file.payment
        const amount = major === undefined ? owed : Math.round(major * 10 ** (minorDigits(currency) ?? 2))
        const refunded = amount > 0 ? refundGoodwill(file, amount, at) : undefined
        return refunded ?? notPossible('Only what was captured and is not being refunded yet can be refunded.')
      })
      return show(paymentId)
    },

    async resolve(paymentId: string, to: PaymentResolution): Promise<PaymentRecords> {
      if (SENDING.includes(to)) await lookFirst(deps, paymentId)
      await change(
        deps,
        paymentId,
        (file, at) =>
          resolvePayment(file, to, at) ??
          notPossible(
            isUndecided(file)
              ? 'The outcome of the booking is not known yet, and it decides what the guest owes. Resolve the booking first.'
              : `A payment that is ${file.payment.state} with these amounts cannot become ${to}.`,
          ),
      )
      return show(paymentId)
    },
  }
}

async function lookNow(deps: Deps, provider: DriveDeps['provider'], file: PaymentFile): Promise<void> {
  try {
    await lookAtPayment({ ...deps, provider, isClaimed: false }, file)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw new AppError('payments_unavailable', 'The payment provider could not be asked. Nothing was changed.', {
      cause: error,
    })
  }
}

/** Refreshes the amounts before a new request: an earlier one may have arrived since the last look. */
async function lookFirst(deps: Deps, paymentId: string): Promise<void> {
  const file = await deps.payments.read(paymentId)
  if (deps.provider !== undefined && file !== undefined && openOperation(file) === undefined)
    await lookNow(deps, deps.provider, file)
}

/** Repeats the decision if the payment has changed meanwhile. */
async function change(
  { payments, clock }: Deps,
  paymentId: string,
  decide: (file: PaymentFile, at: number) => PaymentFile | AppError,
): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const file = await payments.read(paymentId)
    if (file === undefined) throw paymentNotFound()
    const at = clock.now()
    const decided = decide(file, at)
    if (decided instanceof AppError) throw decided
    if ((await payments.save(file, decided, { at, dueAt: dueAt(decided, at) })) !== undefined) return
  }
  throw notPossible('The payment is just being changed. Read it again.')
}

const notPossible = (message: string) => new AppError('not_possible', message)
