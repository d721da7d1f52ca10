import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { callApi, serai } from '../../api/client.ts'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActionButton, Done } from '../parts/action-button.tsx'
import { ConsolePage } from '../parts/console-page.tsx'
import { Facts, When } from '../parts/facts.tsx'
import { Table } from '../parts/list-table.tsx'

type Rates = components['schemas']['ExchangeRates']
type Pending = components['schemas']['PendingExchangeRates']

const HOUR_SECONDS = 3_600
const FIGURES = 'text-right figures'

const formatCurrencies = (count: number): string => (count === 1 ? '1 currency' : `${count} currencies`)

const whenOr = (missing: string, at: string | null) => (at === null ? missing : <When at={at} />)

export default function RatesSection() {
  const [done, setDone] = useState('')
  const rates = useQuery({
    queryKey: ['console', 'rates'],
    queryFn: () => callApi(serai.operator.exchangeRates()),
    staleTime: 0,
  })
  const onDone = (what: string) => {
    setDone(what)
    void rates.refetch()
  }
  return (
    <ConsolePage
      title="Exchange rates"
      intro="Prices in another currency than requested are converted with these rates."
    >
      {done !== '' && <Done what={done} />}
      {rates.isPending && <p className="text-muted">Loading …</p>}
      {rates.isError && <Failure error={rates.error} onRetry={() => rates.refetch()} />}
      {rates.isSuccess && <View rates={rates.data} onDone={onDone} />}
    </ConsolePage>
  )
}

function View({ rates, onDone }: { rates: Rates; onDone(what: string): void }) {
  const { pending } = rates
  return (
    <div className="flex flex-col gap-6">
      {rates.failure !== null && <Notice tone="bad">The last reading failed: {rates.failure}.</Notice>}
      <Facts
        rows={[
          ['Day', rates.date],
          ['Source', rates.is_fallback ? `${rates.source} (file of the release)` : rates.source],
          ['Age', `${Math.floor(rates.age_seconds / HOUR_SECONDS)} hours without weekends`],
          ['Last read', whenOr('never', rates.read_at)],
          ['Next reading', whenOr('not scheduled', rates.next_at)],
          [
            'From the file',
            `${formatCurrencies(rates.from_file.length)} at the rate to the dollar on ${rates.file_date}`,
          ],
        ]}
      />
      <ActionButton
        label="Read the source now"
        run={async () => {
          const { date } = await callApi(serai.operator.exchangeRatesRenew())
          return `The source was read. The rates of ${date} are in use.`
        }}
        onDone={onDone}
      />
      {pending !== null && <Waiting pending={pending} onDone={onDone} />}
      <div className="max-w-md">
        <Table
          caption="Amount of each currency per euro"
          columns={[
            { title: 'Currency', cell: ([currency]) => currency },
            { title: 'Per euro', className: FIGURES, cell: ([, rate]) => rate },
          ]}
          rows={Object.entries(rates.rates).sort(([a], [b]) => a.localeCompare(b))}
          rowKey={([currency]) => currency}
        />
      </div>
    </div>
  )
}

function Waiting({ pending, onDone }: { pending: Pending; onDone(what: string): void }) {
  return (
    <section>
      <h2 className="mb-2 text-lg">Rates of {pending.date} wait for a confirmation</h2>
      <Table
        caption="Changes of more than 20 %"
        columns={[
          { title: 'Currency', cell: ({ currency }) => currency },
          { title: 'In use', className: FIGURES, cell: ({ before }) => before },
          { title: 'New', className: FIGURES, cell: ({ after }) => after },
        ]}
        rows={pending.jumps}
        rowKey={({ currency }) => currency}
      />
      <div className="mt-3">
        <ActionButton
          label="Confirm these rates"
          look="primary"
          confirm={{
            title: 'Confirm these rates',
            text: 'All nodes convert prices with them within a minute.',
            reason: true,
          }}
          run={async (reason) => {
            await callApi(serai.operator.exchangeRatesConfirm({ date: pending.date, reason }))
            return `The rates of ${pending.date} are in use.`
          }}
          onDone={onDone}
        />
      </div>
    </section>
  )
}
