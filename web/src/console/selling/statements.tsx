import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { callApi, serai } from '../../api/client.ts'
import { useI18n } from '../../i18n/i18n.tsx'
import { formatVendorName } from '../../ui/badges.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { type Column, Table } from '../parts/list-table.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { downloadStatement, type StatementQuery, toStatementArguments } from './statement-file.ts'

type Line = components['schemas']['StatementLine']

const thisMonth = () => new Date().toISOString().slice(0, 7)

/** Sales by month and vendor. */
export function Statements() {
  const [values, setValues] = useState<StatementQuery>({
    from: thisMonth(),
    to: thisMonth(),
    by: 'booking',
    account: '',
  })
  const [asked, setAsked] = useState(values)
  const lines = useQuery({
    queryKey: ['console', 'statements', asked],
    queryFn: () => callApi(serai.operator.statements(toStatementArguments(asked))),
  })
  const file = useMutation({ mutationFn: downloadStatement })
  const form = useForm({ error: lines.error, send: () => setAsked({ ...values }) })
  const field = (name: 'from' | 'to' | 'account', label: string, hint?: string) => (
    <TextField
      id={`statement-${name}`}
      name={name}
      label={label}
      value={values[name]}
      onValue={(value) => setValues({ ...values, [name]: value })}
      hint={hint}
    />
  )
  return (
    <div className="flex flex-col gap-4">
      <Form form={form} className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] items-start gap-3">
        {field('from', 'From month', 'Such as 2027-03')}
        {field('to', 'To month')}
        <SelectField
          id="statement-by"
          label="Month of"
          value={values.by}
          onValue={(by) => setValues({ ...values, by })}
          options={[
            ['booking', 'booking'],
            ['check_out', 'departure'],
          ]}
        />
        {field('account', 'Account', 'Account id; leave empty for all')}
        <div className="flex flex-wrap gap-2 sm:col-span-2 min-[90rem]:pt-6">
          <button type="submit" className="btn btn-primary">
            Show
          </button>
          <button
            type="button"
            className="btn btn-quiet"
            aria-disabled={file.isPending}
            onClick={() => file.mutate(asked)}
          >
            {file.isPending ? 'Reading …' : 'Download CSV'}
          </button>
        </div>
      </Form>
      {file.isError && <ProblemNotice error={file.error} />}
      <Lines lines={lines} problem={form.problem} />
    </div>
  )
}

type LinesProps = { lines: ReturnType<typeof useQuery<readonly Line[]>>; problem: Error | null }

function Lines({ lines, problem }: LinesProps) {
  if (lines.isPending) return <p className="text-muted">Loading …</p>
  if (lines.isError) return problem && <Failure error={problem} onRetry={() => lines.refetch()} />
  if (lines.data.length === 0)
    return <p className="text-muted">No real bookings in these months. Simulated bookings are not included.</p>
  return (
    <>
      <Sales lines={lines.data} />
      {lines.data.some(hasCards) && <Cards lines={lines.data.filter(hasCards)} />}
    </>
  )
}

const hasCards = ({ collected, uncollected, refunded, disputed }: Line): boolean =>
  collected + uncollected + refunded + disputed > 0

const WHERE: readonly Column<Line>[] = [
  { title: 'Month', className: 'figures whitespace-nowrap', cell: ({ month }) => month },
  { title: 'Vendor', cell: ({ vendor_id }) => formatVendorName(vendor_id) },
]

const keyOf = ({ month, vendor_id, currency, net_currency }: Line) =>
  [month, vendor_id, currency, net_currency].join(' ')

function useAmountColumn() {
  const { money } = useI18n()
  return (
    title: string,
    getAmount: (line: Line) => number,
    getCurrency = (line: Line) => line.currency,
  ): Column<Line> => ({
    title,
    className: 'figures text-right',
    cell: (line) => <span className="whitespace-nowrap">{money(getAmount(line), getCurrency(line))}</span>,
  })
}

type SomeLines = { lines: readonly Line[] }

function Sales({ lines }: SomeLines) {
  const amount = useAmountColumn()
  const columns: readonly Column<Line>[] = [
    ...WHERE,
    { title: 'Bookings', className: 'figures text-right', cell: ({ bookings }) => bookings },
    { title: 'Cancelled', className: 'figures text-right', cell: ({ cancelled }) => cancelled },
    { title: 'Open', className: 'figures text-right', cell: ({ open }) => open },
    { title: 'Partly cancelled', className: 'figures text-right', cell: (line) => line.partly_cancelled },
    amount('Sold', ({ sold }) => sold),
    amount('Due at property', ({ due_at_property }) => due_at_property),
    amount('Net', ({ net }) => net),
    amount('Penalties', ({ penalties }) => penalties),
    amount('Margin', ({ margin }) => margin),
    amount(
      'Vendor’s penalties',
      ({ vendor_penalties }) => vendor_penalties,
      ({ net_currency }) => net_currency,
    ),
    amount(
      'Payable',
      ({ payable }) => payable,
      ({ net_currency }) => net_currency,
    ),
  ]
  return (
    <Table
      caption="Statement, one line per month, vendor and pair of currencies"
      columns={columns}
      rows={lines}
      rowKey={keyOf}
    />
  )
}

/** Separate from the sales, because all columns together are wider than most screens. */
function Cards({ lines }: SomeLines) {
  const amount = useAmountColumn()
  const columns: readonly Column<Line>[] = [
    ...WHERE,
    amount('Collected', ({ collected }) => collected),
    amount('Refunded', ({ refunded }) => refunded),
    amount('Not yet collected', ({ uncollected }) => uncollected),
    amount('Disputed', ({ disputed }) => disputed),
    amount('Provider’s fees', ({ provider_fees }) => provider_fees),
    amount('On account', ({ on_account }) => on_account),
  ]
  return (
    <div className="flex flex-col gap-2">
      <h2 className="text-lg">Card payments</h2>
      <Table
        caption="Card payments, one line per month, vendor and pair of currencies"
        columns={columns}
        rows={lines}
        rowKey={keyOf}
      />
    </div>
  )
}
