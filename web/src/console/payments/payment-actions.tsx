import { useState } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { callApi, serai } from '../../api/client.ts'
import { useI18n } from '../../i18n/i18n.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ActionButton } from '../parts/action-button.tsx'
import { SelectField } from '../parts/select-field.tsx'

type PaymentRecords = components['schemas']['PaymentRecords']
type Resolution = components['schemas']['ResolvePaymentRequest']['to']
type Props = { payment: PaymentRecords; onDone(what: string): void }

/** Asks the provider, refunds beyond the terms, and ends a review. */
export function PaymentActions({ payment, onDone }: Props) {
  const { payment_id, captured, refunded, refund_pending, state } = payment
  return (
    <div className="flex flex-wrap gap-2">
      <ActionButton
        label="Ask the provider now"
        run={async () => {
          const { state: now } = await callApi(serai.operator.paymentsLook({ payment_id }))
          return `The provider was asked. The payment is ${now.replaceAll('_', ' ')}.`
        }}
        onDone={onDone}
      />
      {captured - refunded - refund_pending > 0 && state !== 'needs_review' && (
        <RefundButton payment={payment} onDone={onDone} />
      )}
      {state === 'needs_review' && <SettleButton payment={payment} onDone={onDone} />}
    </div>
  )
}

function RefundButton({ payment, onDone }: Props) {
  const { money } = useI18n()
  const { payment_id, captured, refunded, refund_pending, currency } = payment
  const left = Math.round((captured - refunded - refund_pending) * 1_000) / 1_000
  const [amount, setAmount] = useState(String(left))
  const text = (
    <>
      <p className="mb-3">
        At most {money(left, currency)}. The money goes to the card that paid. The booking stays as it is.
      </p>
      <TextField id="refund-amount" name="amount" label={`Amount in ${currency}`} value={amount} onValue={setAmount} />
    </>
  )
  return (
    <ActionButton
      label="Refund"
      look="danger"
      confirm={{ title: 'Refund beyond the terms', text, reason: true }}
      run={async (reason) => {
        await callApi(serai.operator.paymentsRefund({ payment_id, amount: Number(amount.replace(',', '.')), reason }))
        return 'The refund is ordered.'
      }}
      onDone={onDone}
    />
  )
}

const RESOLUTIONS: readonly (readonly [Resolution, string])[] = [
  ['captured', 'Accept the present amounts: settled with the guest in another way'],
  ['capturing', 'Try to charge again'],
  ['refunding', 'Try to refund again'],
  ['voiding', 'Release the reservation'],
  ['voided', 'Accept that nothing is charged'],
]

function SettleButton({ payment: { payment_id }, onDone }: Props) {
  const [to, setTo] = useState<Resolution>('captured')
  return (
    <ActionButton
      label="End the review"
      look="primary"
      confirm={{
        title: 'End the review',
        text: <SelectField id="resolution" label="Outcome" value={to} options={RESOLUTIONS} onValue={setTo} />,
        reason: true,
      }}
      run={async (reason) => {
        const { state } = await callApi(serai.operator.paymentsResolve({ payment_id, to, reason }))
        return `The review has ended. The payment is ${state.replaceAll('_', ' ')}.`
      }}
      onDone={onDone}
    />
  )
}
