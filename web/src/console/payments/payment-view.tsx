import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { callApi, serai } from '../../api/client.ts'
import { useI18n } from '../../i18n/i18n.tsx'
import { formatBrand } from '../../payment/booked-payment.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Done } from '../parts/action-button.tsx'
import { Block, ConsolePage } from '../parts/console-page.tsx'
import { Code, Facts, When } from '../parts/facts.tsx'
import { type Column, Table } from '../parts/list-table.tsx'
import { PaymentActions } from './payment-actions.tsx'
import { describePaymentReason } from './payment-reason.ts'

type PaymentRecords = components['schemas']['PaymentRecords']
type Operation = PaymentRecords['operations'][number]
type Entry = PaymentRecords['entries'][number]

/** One payment with its requests to the provider, its ledger and what an operator may do. */
export function PaymentView({ id }: { id: string }) {
  const client = useQueryClient()
  const [done, setDone] = useState<string>()
  const queryKey = ['console', 'payment', id]
  const payment = useQuery({
    queryKey,
    queryFn: () => callApi(serai.operator.paymentsShow({ payment_id: id })),
    staleTime: 0,
  })
  const onDone = (what: string) => {
    setDone(what)
    void client.invalidateQueries({ queryKey })
    void client.invalidateQueries({ queryKey: ['console', 'payments'] })
  }
  const all = (
    <a className="link" href="/console/payments">
      All payments
    </a>
  )
  return (
    <ConsolePage title={`Payment ${id}`} actions={all}>
      <div className="flex flex-col gap-5">
        {payment.isPending && <p className="text-muted">Loading …</p>}
        {payment.isError && <Failure error={payment.error} onRetry={() => payment.refetch()} />}
        {done !== undefined && <Done what={done} />}
        {payment.data && <Loaded payment={payment.data} onDone={onDone} />}
      </div>
    </ConsolePage>
  )
}

function Loaded({ payment, onDone }: { payment: PaymentRecords; onDone(what: string): void }) {
  const { money } = useI18n()
  const inMoney = (amount: number) => money(amount, payment.currency)
  return (
    <>
      {payment.reason !== null && (
        <Notice tone="warn">
          <strong className="block">{describePaymentReason(payment.reason)}</strong>
          docs/payments.md says what to do.
        </Notice>
      )}
      <PaymentActions payment={payment} onDone={onDone} />
      <Block title="Payment">
        <PaymentFacts payment={payment} inMoney={inMoney} />
      </Block>
      <Block title="Requests to the provider">
        <Table
          caption="Requests to the provider, oldest first"
          columns={operationColumns(inMoney)}
          rows={payment.operations}
          rowKey={({ number }) => String(number)}
        />
      </Block>
      <Block title="Ledger">
        <Table
          caption="Entries of the ledger, oldest first"
          columns={entryColumns(inMoney)}
          rows={payment.entries.map((entry, number) => ({ ...entry, number }))}
          rowKey={({ number }) => String(number)}
        />
      </Block>
    </>
  )
}

type InMoney = (amount: number) => string

function PaymentFacts({ payment, inMoney }: { payment: PaymentRecords; inMoney: InMoney }) {
  const { booking_id, card, owed, disputed, capture_before, failure } = payment
  const rows = [
    ['State', payment.state.replaceAll('_', ' ')],
    ['Reserved', inMoney(payment.authorised)],
    ['Charged', inMoney(payment.captured)],
    ['Refunded', inMoney(payment.refunded)],
    ['Refund on its way', payment.refund_pending === 0 ? undefined : inMoney(payment.refund_pending)],
    ['Owed by the guest in total', owed === null ? 'unknown until the booking is decided' : inMoney(owed)],
    ['Disputed', disputed === 0 ? undefined : inMoney(disputed)],
    ['Card', card === null ? undefined : `${formatBrand(card.brand)} ending in ${card.last4}`],
    ['Last refusal', failure?.message],
    [
      'Booking',
      booking_id !== null && (
        <a key="booking" className="link" href={`/console/bookings/${booking_id}`}>
          {booking_id} ({payment.booking_status ?? 'unknown'})
        </a>
      ),
    ],
    ['Reserved until', capture_before === null ? undefined : <When key="until" at={capture_before} />],
    ['Provider', `${payment.provider}, ${payment.livemode ? 'live' : 'test'}`],
    ['Provider’s reference', payment.provider_reference && <Code key="reference">{payment.provider_reference}</Code>],
    ['Created', <When key="created" at={payment.created_at} />],
  ] as const
  return <Facts rows={rows.filter(([, value]) => value !== false)} />
}

const operationColumns = (inMoney: InMoney): readonly Column<Operation>[] => [
  { title: 'Request', cell: ({ kind }) => kind },
  { title: 'Amount', className: 'figures text-right', cell: ({ amount }) => inMoney(amount) },
  { title: 'State', cell: ({ state }) => state },
  { title: 'Fault', cell: ({ reason }) => reason ?? '' },
  { title: 'Sent', cell: ({ sent_at }) => (sent_at === null ? 'not yet' : <When at={sent_at} />) },
  { title: 'Key', cell: ({ key }) => <Code>{key}</Code> },
]

const entryColumns = (inMoney: InMoney): readonly Column<Entry & { readonly number: number }>[] => [
  { title: 'Entry', cell: ({ kind }) => kind.replaceAll('_', ' ') },
  { title: 'Amount', className: 'figures text-right', cell: ({ amount }) => inMoney(amount) },
  { title: 'At', cell: ({ at }) => <When at={at} /> },
]
