import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { callApi, serai } from '../../api/client.ts'
import { formatVendorName } from '../../ui/badges.tsx'
import { Form, FormProblem, useForm } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ActionButton, Done } from '../parts/action-button.tsx'
import { ConsolePage } from '../parts/console-page.tsx'
import { When } from '../parts/facts.tsx'
import { Table } from '../parts/list-table.tsx'
import { DifferenceTable } from './differences.tsx'

type Reconciliation = components['schemas']['Reconciliation']

const DATE = /^\d{4}-\d{2}-\d{2}$/
const WEEK_MS = 7 * 86_400_000

export default function ReconciliationSection() {
  const [from, setFrom] = useState(() => new Date(Date.now() - WEEK_MS).toISOString().slice(0, 10))
  const [done, setDone] = useState('')
  const comparison = useMutation({
    mutationFn: (day: string) => callApi(serai.operator.reconciliation({ from: day })),
  })
  const form = useForm({
    isBusy: comparison.isPending,
    error: comparison.error,
    check: () => ({ from: DATE.test(from.trim()) ? undefined : 'Enter a date, such as 2027-01-31.' }),
    send: () => {
      setDone('')
      comparison.mutate(from.trim())
    },
  })
  const { data } = comparison
  const onDone = (what: string) => {
    setDone(what)
    if (data !== undefined) comparison.mutate(data.from)
  }
  return (
    <ConsolePage
      title="Reconciliation"
      intro="Compares bookings with the vendors, after a restored backup or a failover that may have lost some. Comparing changes no booking."
    >
      <Form form={form} className="mb-6 flex max-w-md flex-col items-start gap-3">
        <TextField
          id="from"
          label="Bookings made since"
          hint="The day (UTC) of the backup or of the failover, or before."
          value={from}
          onValue={setFrom}
          maxLength={10}
        />
        <FormProblem form={form} />
        <button type="submit" className="btn btn-primary" aria-disabled={comparison.isPending}>
          {comparison.isPending ? 'Comparing …' : 'Compare with the vendors'}
        </button>
      </Form>
      {done !== '' && <Done what={done} />}
      {data !== undefined && <Result result={data} onDone={onDone} />}
    </ConsolePage>
  )
}

function Result({ result, onDone }: { result: Reconciliation; onDone(what: string): void }) {
  const { vendors, differences, from } = result
  return (
    <div className="mt-4 flex flex-col gap-6" aria-live="polite">
      <Status result={result} onDone={onDone} />
      <Table
        caption="Bookings compared"
        columns={[
          { title: 'Vendor', cell: ({ vendor_id }) => formatVendorName(vendor_id) },
          { title: 'Result', cell: ({ status }) => STATUS_TEXTS[status] },
          { title: 'Bookings of ours', className: 'text-right figures', cell: ({ listed }) => listed },
        ]}
        rows={vendors}
        rowKey={({ vendor_id: vendor }) => vendor}
      />
      {differences.length === 0 ? (
        <p>{`No differences since ${from}.`}</p>
      ) : (
        <DifferenceTable from={from} differences={differences} onDone={onDone} />
      )}
    </div>
  )
}

const STATUS_TEXTS: Readonly<Record<Reconciliation['vendors'][number]['status'], string>> = {
  listed: 'Its list was compared',
  no_list: 'It has no list: bookings confirmed here were looked up, unknown ones are found when they are repeated',
  failed: 'It did not answer; compare again later',
}

function Status({ result, onDone }: { result: Reconciliation; onDone(what: string): void }) {
  const { from } = result
  if (!result.is_behind)
    return <Notice tone="good">Nothing is left to adopt or to cancel: bookings are sent without a look-up.</Notice>
  return (
    <Notice tone="warn">
      <p>
        <Rest result={result} />
      </p>
      <div className="mt-3">
        <ActionButton
          label="End the look-ups"
          look="danger"
          confirm={{
            title: 'End the look-ups before sending',
            text: 'A client that repeats a lost booking may then book it twice, unless its vendor refuses that.',
          }}
          run={async () => {
            await callApi(serai.operator.reconciliation({ from, end: true }))
            return 'Bookings are sent without a look-up from now on.'
          }}
          onDone={onDone}
        />
      </div>
    </Notice>
  )
}

/** Condition that still keeps the look-ups going. */
function Rest({ result }: { result: Reconciliation }) {
  const { from, needed_from: neededFrom, repeats_end_at: until, differences } = result
  if (neededFrom !== null && from > neededFrom)
    return `Bookings since ${neededFrom} may be missing: compare from then on.`
  if (until === null || differences.some(({ proposal }) => proposal !== 'review'))
    return 'Until nothing is left to adopt or to cancel, every booking is looked up at its vendor before it is sent.'
  return (
    <>
      Clients may repeat bookings that only a vendor without a list has, so every booking is looked up at its vendor
      before it is sent. Compare again after <When at={until} />.
    </>
  )
}
