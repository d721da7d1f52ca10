import type { components } from '../../../../packages/client/src/index.ts'
import { serai } from '../../api/client.ts'
import { navigate, useAddress } from '../../browser/router.ts'
import { useI18n } from '../../i18n/i18n.tsx'
import { ConsolePage } from '../parts/console-page.tsx'
import { When } from '../parts/facts.tsx'
import { type Column, ListTable } from '../parts/list-table.tsx'
import { SelectField } from '../parts/select-field.tsx'
import type { SectionProps } from '../section-props.ts'
import { describePaymentReason } from './payment-reason.ts'
import { PaymentView } from './payment-view.tsx'

type Payment = components['schemas']['OperatorPayment']

export default function PaymentsSection({ rest: [id] }: SectionProps) {
  return id === undefined ? <PaymentList /> : <PaymentView key={id} id={id} />
}

const FILTERS = [
  ['', 'All payments'],
  ['needs_review', 'That need an operator'],
  ['held', 'Reserved for a booking in doubt'],
  ['refunding', 'Refunds on their way'],
] as const

function PaymentList() {
  const { query } = useAddress()
  const state = query.get('state') ?? ''
  return (
    <ConsolePage title="Payments" intro="Card payments of guests, and those that need an operator.">
      <div className="mb-4 max-w-xs">
        <SelectField
          id="payment-state"
          label="Show"
          value={FILTERS.find(([value]) => value === state)?.[0] ?? ''}
          options={FILTERS}
          onValue={(chosen) => navigate(`/console/payments${chosen === '' ? '' : `?state=${chosen}`}`)}
        />
      </div>
      <ListTable
        caption="Payments, newest first"
        queryKey={['console', 'payments', state]}
        read={(paging) =>
          serai.operator.payments({ ...paging, ...(state === '' ? {} : { filters: [`state:==<${state}`] }) })
        }
        columns={COLUMNS}
        rowKey={({ payment_id }) => payment_id}
        empty="There are no such payments."
      />
    </ConsolePage>
  )
}

function Amount({ payment, of }: { payment: Payment; of: 'amount' | 'captured' | 'refunded' }) {
  const { money } = useI18n()
  return money(payment[of], payment.currency)
}

const COLUMNS: readonly Column<Payment>[] = [
  {
    title: 'Payment',
    cell: ({ payment_id }) => (
      <a className="link font-mono text-xs" href={`/console/payments/${payment_id}`}>
        {payment_id}
      </a>
    ),
  },
  { title: 'State', cell: ({ state }) => state.replaceAll('_', ' ') },
  { title: 'Reason', cell: ({ reason }) => (reason === null ? '' : describePaymentReason(reason)) },
  { title: 'Amount', className: 'figures text-right', cell: (payment) => <Amount payment={payment} of="amount" /> },
  { title: 'Charged', className: 'figures text-right', cell: (payment) => <Amount payment={payment} of="captured" /> },
  { title: 'Refunded', className: 'figures text-right', cell: (payment) => <Amount payment={payment} of="refunded" /> },
  {
    title: 'Booking',
    cell: ({ booking_id }) =>
      booking_id !== null && (
        <a className="link font-mono text-xs" href={`/console/bookings/${booking_id}`}>
          {booking_id}
        </a>
      ),
  },
  { title: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
]
