import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { callApi, serai } from '../../api/client.ts'
import { useI18n } from '../../i18n/i18n.tsx'
import { formatVendorName } from '../../ui/badges.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Block, ConsolePage } from '../parts/console-page.tsx'
import { When } from '../parts/facts.tsx'
import { type Column, Table } from '../parts/list-table.tsx'
import { DayChart } from './day-chart.tsx'
import { type DayNumbers, formatChange, listDays, MEASURES, type Measure, sumNumbers, WEEK } from './sum-numbers.ts'

type Numbers = components['schemas']['Numbers']

/** Start page of the console: figures by day and vendor, compared with the week before. */
export default function NumbersSection() {
  const numbers = useQuery({
    queryKey: ['console', 'numbers'],
    queryFn: () => callApi(serai.operator.numbers()),
    staleTime: 0,
  })
  return (
    <ConsolePage
      title="Overview"
      intro="The last seven complete days, compared with the seven before. Days are in UTC; simulated bookings are not counted."
    >
      {numbers.isPending && <p className="py-6 text-muted">Loading …</p>}
      {numbers.isError && <Failure error={numbers.error} onRetry={() => numbers.refetch()} />}
      {numbers.data !== undefined && <Figures numbers={numbers.data} />}
    </ConsolePage>
  )
}

function Figures({ numbers }: { numbers: Numbers }) {
  const days = useMemo(() => listDays(numbers.from), [numbers.from])
  // The margin would reveal net prices.
  const measures = MEASURES.filter(
    ({ title }) => title !== 'Margin' || numbers.days.every(({ margin }) => margin !== null),
  )
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 md:grid-cols-2 2xl:grid-cols-3">
        {measures.map((measure) => (
          <MeasureBlock key={measure.title} {...{ measure, numbers, days }} />
        ))}
      </div>
      <Block title="By vendor">
        <VendorTable {...{ measures, numbers, days }} />
      </Block>
      <details className="card p-4">
        <summary className="min-h-9 font-semibold">Figures of each day</summary>
        <DayTable {...{ measures, numbers }} />
      </details>
      <p className="text-muted">
        As of <When at={numbers.as_of} />. Amounts are converted to {numbers.currency} at today’s exchange rates.
      </p>
    </div>
  )
}

/** Stable between renders, because a change draws the chart again. */
function useFormat({ unit }: Measure, currency: string): (value: number) => string {
  const { money } = useI18n()
  return useMemo(() => createFormat(unit, (value) => money(value, currency)), [unit, currency, money])
}

function createFormat(unit: Measure['unit'], formatMoney: (value: number) => string) {
  return (value: number): string => {
    if (unit === 'money') return formatMoney(value)
    if (unit === 'share') return `${(value * 100).toFixed(1)} %`
    return value.toLocaleString('en-GB', { maximumFractionDigits: unit === 'ratio' ? 1 : 0 })
  }
}

type MeasureProps = { measure: Measure; numbers: Numbers; days: readonly string[] }

function MeasureBlock({ measure, numbers, days }: MeasureProps) {
  const format = useFormat(measure, numbers.currency)
  const [before, week] = splitWeeks(numbers.days, days)
  const [was, is] = [measure.read(sumNumbers(before)), measure.read(sumNumbers(week))]
  const today = measure.read(sumNumbers(numbers.days.filter(({ day }) => day === days.at(-1))))
  const series = useMemo(
    () =>
      [...Map.groupBy(numbers.days, ({ vendor_id }) => vendor_id)].map(([vendorId, rows]) => ({
        name: formatVendorName(vendorId),
        values: days.map((day) => measure.read(sumNumbers(rows.filter((row) => row.day === day)))),
      })),
    [numbers, days, measure],
  )
  return (
    <Block title={measure.title}>
      <p className="mb-2 flex flex-wrap items-baseline gap-x-3">
        <strong className="figures text-2xl">{is === null ? '–' : format(is)}</strong>
        <span className="text-muted">
          {[
            formatChange(is, was) ?? 'no comparison',
            was !== null && was !== 0 && `${format(was)} the week before`,
            today !== null && `today so far ${format(today)}`,
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
      </p>
      {series.length === 0 ? (
        <p className="text-muted">No figures yet.</p>
      ) : (
        <DayChart
          days={days}
          series={series}
          label={`${measure.title} by day and vendor`}
          format={format}
          isCount={measure.unit === 'count'}
        />
      )}
    </Block>
  )
}

/** The week before, and the last one; today is in neither. */
function splitWeeks(rows: readonly DayNumbers[], days: readonly string[]) {
  const within = (wanted: readonly string[]) => rows.filter(({ day }) => wanted.includes(day))
  return [within(days.slice(0, WEEK)), within(days.slice(WEEK, 2 * WEEK))] as const
}

const NUMBER_CELL = 'text-right figures whitespace-nowrap'

type TableProps = { measures: readonly Measure[]; numbers: Numbers }

function useMeasureFormat(currency: string) {
  const { money } = useI18n()
  return ({ unit }: Measure, value: number | null) =>
    value === null ? '–' : createFormat(unit, (amount) => money(amount, currency))(value)
}

function VendorTable({ measures, numbers, days }: TableProps & { days: readonly string[] }) {
  const format = useMeasureFormat(numbers.currency)
  const rows = [...Map.groupBy(numbers.days, ({ vendor_id }) => vendor_id)].map(([vendorId, own]) => {
    const [before, week] = splitWeeks(own, days)
    return { vendorId, was: sumNumbers(before), is: sumNumbers(week) }
  })
  const columns: readonly Column<(typeof rows)[number]>[] = [
    {
      title: 'Vendor',
      cell: ({ vendorId }) => (
        <a className="link" href={`/console/vendors/${vendorId}`}>
          {formatVendorName(vendorId)}
        </a>
      ),
    },
    ...measures.map((measure) => ({
      title: measure.title,
      className: NUMBER_CELL,
      cell: ({ was, is }: (typeof rows)[number]) => (
        <>
          {format(measure, measure.read(is))}
          <span className="block text-xs text-muted">{formatChange(measure.read(is), measure.read(was))}</span>
        </>
      ),
    })),
  ]
  return (
    <Table
      caption="Figures of each vendor in the last seven days, and the change"
      columns={columns}
      rows={rows}
      rowKey={({ vendorId }) => vendorId}
    />
  )
}

function DayTable({ measures, numbers }: TableProps) {
  const format = useMeasureFormat(numbers.currency)
  const columns: readonly Column<DayNumbers>[] = [
    { title: 'Day', className: 'figures whitespace-nowrap', cell: ({ day }) => day },
    { title: 'Vendor', cell: ({ vendor_id }) => formatVendorName(vendor_id) },
    ...measures.map((measure) => ({
      title: measure.title,
      className: NUMBER_CELL,
      cell: (row: DayNumbers) => format(measure, measure.read(row)),
    })),
  ]
  return (
    <Table
      caption="Figures of each day and vendor, newest first"
      columns={columns}
      rows={numbers.days.toReversed()}
      rowKey={({ day, vendor_id }) => `${day} ${vendor_id}`}
    />
  )
}
