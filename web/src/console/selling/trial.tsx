import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { callApi, serai } from '../../api/client.ts'
import { useI18n } from '../../i18n/i18n.tsx'
import { Form, FormProblem, useForm } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ifEmpty } from '../parts/checks.ts'
import { Block } from '../parts/console-page.tsx'
import { type Column, Table } from '../parts/list-table.tsx'
import { describeMarkup, describeScope } from './describe-rule.ts'
import type { Rule } from './draft-rule.ts'
import { checkTrial, NEW_TRIAL, TRIAL_FIELDS, type TrialForm, toTrialForm, trialBody } from './trial-form.ts'

type Sum = components['schemas']['SellingTrial']
/** `title` names the rules. */
type Outcome = { readonly title: string; readonly sum: Sum }

type Props = {
  /** Undefined while the draft is invalid. */
  drafts: readonly Rule[] | undefined
  hasChanged: boolean
  /** Booking to start with; empty for none. */
  booking: string
}

/** Prices an offer by the rules in force and by the draft, and explains the price of a booking. */
export function Trial({ drafts, hasChanged, booking }: Props) {
  const [values, setValues] = useState<TrialForm>(NEW_TRIAL)
  const [bookingId, setBookingId] = useState(booking)
  const [booked, setBooked] = useState<Outcome>()
  const trial = useMutation({ mutationFn: (wanted: TrialForm) => tryBoth(wanted, hasChanged ? drafts : undefined) })
  const load = useMutation({
    mutationFn: (id: string) => callApi(serai.operator.sellingBooking({ booking_id: id.trim() })),
    onSuccess: (sale) => {
      const filled = toTrialForm(sale.trial)
      setValues(filled)
      setBooked({ title: `As booked, by version ${sale.sold.version}`, sum: sale.sold })
      trial.mutate(filled)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for a booking that the address names
  useEffect(() => {
    if (booking !== '') load.mutate(booking)
  }, [])
  const form = useForm({
    ...{ isBusy: trial.isPending, error: trial.error },
    check: () => checkTrial(values),
    send: () => trial.mutate(values),
  })
  const loadForm = useForm({
    ...{ isBusy: load.isPending, error: load.error },
    check: () => ({ booking_id: ifEmpty(bookingId, 'Enter a booking id.') }),
    send: () => load.mutate(bookingId),
  })
  const outcomes = [...(booked === undefined ? [] : [booked]), ...(trial.data ?? [])]
  return (
    <Block title="Trial">
      <p className="mb-3 max-w-prose text-muted">
        Shows which rule applies to an offer and the resulting price. Nothing is stored and no vendor is called.
      </p>
      <Form form={loadForm} className="mb-4 flex flex-wrap items-end gap-3">
        <div className="w-full max-w-xs">
          <TextField id="trial-booking" name="booking_id" label="Booking" value={bookingId} onValue={setBookingId} />
        </div>
        <button type="submit" className="btn btn-quiet" aria-disabled={load.isPending}>
          {load.isPending ? 'Reading …' : 'Explain its price'}
        </button>
      </Form>
      <FormProblem form={loadForm} />
      <Form form={form}>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-3">
          {TRIAL_FIELDS.map(([name, label, path]) => (
            <TextField
              key={name}
              id={`trial-${name}`}
              name={path}
              label={label}
              value={values[name]}
              onValue={(value) => {
                setBooked(undefined)
                setValues({ ...values, [name]: value })
              }}
              maxLength={100}
            />
          ))}
        </div>
        <button type="submit" className="btn btn-primary mt-3" aria-disabled={trial.isPending}>
          {trial.isPending ? 'Trying …' : 'Try'}
        </button>
      </Form>
      <FormProblem form={form} />
      <div aria-live="polite" className="mt-4">
        {outcomes.length > 0 && <Sums outcomes={outcomes} />}
      </div>
    </Block>
  )
}

async function tryBoth(form: TrialForm, drafts: readonly Rule[] | undefined): Promise<readonly Outcome[]> {
  const body = trialBody(form)
  const now = await callApi(serai.operator.sellingTry(body))
  const inForce = { title: `In force, version ${now.version}`, sum: now }
  if (drafts === undefined) return [inForce]
  const sum = await callApi(serai.operator.sellingTry({ ...body, rules: [...drafts] }))
  return [inForce, { title: 'By the draft', sum }]
}

const PARTS = [
  ['net', 'Net'],
  ['exchange', 'Margin for the exchange rate'],
  ['percent', 'Percent'],
  ['per_night', 'Per night'],
  ['per_stay', 'Per stay'],
  ['rounding', 'Rounding'],
  ['bounds', 'Limits'],
  ['selling', 'Selling price'],
] as const

function Sums({ outcomes }: { outcomes: readonly Outcome[] }) {
  const { money } = useI18n()
  const rows = ['rule' as const, ...PARTS.map(([name]) => name)].filter(
    (name) => name === 'rule' || name === 'net' || outcomes.some(({ sum }) => sum[name] !== 0),
  )
  const cell = (name: (typeof rows)[number], sum: Sum) =>
    name === 'rule' ? <MatchedRule rule={sum.rule} /> : money(sum[name], sum.currency)
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { title: 'Part', cell: (name) => (name === 'rule' ? 'Rule' : PARTS.find(([part]) => part === name)?.[1]) },
    ...outcomes.map(({ title, sum }) => ({
      title,
      className: 'figures',
      cell: (name: (typeof rows)[number]) => cell(name, sum),
    })),
  ]
  return <Table caption="Price breakdown" columns={columns} rows={rows} rowKey={(name) => name} />
}

const MatchedRule = ({ rule }: { rule: Rule | null }) =>
  rule === null ? (
    <>no rule matches</>
  ) : (
    <>
      Priority {rule.priority}: adds {describeMarkup(rule)}
      <span className="block text-muted">for {describeScope(rule)}</span>
    </>
  )
