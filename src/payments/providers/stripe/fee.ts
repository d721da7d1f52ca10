import type Stripe from 'stripe'
import type { Money } from '../../../domain/money/money.ts'
import type { CallContext } from '../../../lib/async/call-context.ts'
import { fromStripeUnits } from './amounts.ts'
import type { StripeCall } from './client.ts'

/** Fee of the captured charge, in the currency of the account. Stripe may add it some time after the capture. */
export async function readFee(call: StripeCall, reference: string, context: CallContext): Promise<Money | undefined> {
  const intent = await call('fee', 'read', context, (stripe) =>
    stripe.paymentIntents.retrieve(reference, { expand: ['latest_charge.balance_transaction'] }),
  )
  const transaction = findTransaction(intent)
  return transaction && fromStripeUnits(transaction.fee, transaction.currency)
}

function findTransaction({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.BalanceTransaction | undefined {
  const transaction = typeof charge === 'string' ? undefined : charge?.balance_transaction
  return typeof transaction === 'string' ? undefined : (transaction ?? undefined)
}
