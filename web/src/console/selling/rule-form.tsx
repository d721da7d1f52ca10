import { useId, useState } from 'react'
import { Form, useForm } from '../../ui/form.tsx'
import { Modal } from '../../ui/modal.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { type DraftField, type DraftRule, findDraftFaults, type RoundingMode, type RuleFaults } from './draft-rule.ts'

type Props = {
  draft: DraftRule
  /** Errors reported by the service. */
  faults: RuleFaults
  onApply(changed: DraftRule): void
  onClose(): void
}

const CONDITIONS: readonly (readonly [DraftField, string, string?])[] = [
  ['vendor', 'Vendors', 'Ids, separated by commas. Leave empty for all.'],
  ['country', 'Countries', 'Two-letter codes of the destination.'],
  ['account', 'Accounts', 'Ids.'],
  ['location', 'Destinations', 'Ids.'],
  ['property', 'Properties', 'Ids.'],
]
const SPANS: readonly (readonly ['stars' | 'check_in' | 'lead_days' | 'nights', string])[] = [
  ['stars', 'Stars'],
  ['check_in', 'Check-in (YYYY-MM-DD)'],
  ['lead_days', 'Days before arrival'],
  ['nights', 'Nights'],
]

/** Edits one rule. Nothing is stored until all rules are. */
export function RuleForm({ draft, faults, onApply, onClose }: Props) {
  const [edited, setEdited] = useState(draft)
  const form = useForm({ initial: faults, check: () => findDraftFaults(edited), send: () => onApply(edited) })
  const field = (name: DraftField, label: string, hint?: string) => (
    <TextField
      key={name}
      id={`rule-${name}`}
      {...{ name, label, hint }}
      value={edited.values[name]}
      onValue={(value) => setEdited({ ...edited, values: { ...edited.values, [name]: value } })}
      maxLength={20_000}
    />
  )
  return (
    <Modal title="Selling rule" isOpen onClose={onClose} shape="sheet">
      <Form form={form} className="flex flex-col gap-5 text-sm">
        {field('priority', 'Priority', 'Of the rules that match an offer, the one with the lowest number applies.')}
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-2 font-semibold">What it adds</legend>
          {field('percent', 'Percent of the net price', 'Such as 12 or 12.5.')}
          <div className="grid grid-cols-2 gap-3">
            {field('per_night_amount', 'Per night and room')}
            {field('per_night_currency', 'Currency per night')}
            {field('per_stay_amount', 'Per stay')}
            {field('per_stay_currency', 'Currency per stay')}
          </div>
          <Rounding mode={edited.mode} onMode={(mode) => setEdited({ ...edited, mode })} />
          <div className="grid grid-cols-2 gap-3">
            {field('rounding_step', 'Rounding step', '1, 0.5, 5 …')}
            {field('rounding_minus', 'Less', '0.01 makes 99 cents.')}
          </div>
          {field('cancel_buffer_hours', 'Hours by which free cancellation ends earlier')}
        </fieldset>
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-2 font-semibold">What it applies to (all conditions must match)</legend>
          {CONDITIONS.map(([name, label, hint]) => field(name, label, hint))}
          {SPANS.map(([name, label]) => (
            <div key={name} className="grid grid-cols-2 gap-3">
              {field(`${name}_from`, `${label}: from`)}
              {field(`${name}_to`, `${label}: to`)}
            </div>
          ))}
        </fieldset>
        <div className="flex justify-end gap-2">
          <button type="button" className="btn btn-quiet" onClick={onClose}>
            Close
          </button>
          <button type="submit" className="btn btn-primary">
            Apply to the draft
          </button>
        </div>
      </Form>
    </Modal>
  )
}

function Rounding({ mode, onMode }: { mode: RoundingMode; onMode(mode: RoundingMode): void }) {
  const id = useId()
  return (
    <SelectField
      id={id}
      label="Rounding"
      value={mode}
      onValue={onMode}
      options={[
        ['', 'none'],
        ['up', 'up'],
        ['down', 'down'],
        ['nearest', 'to the nearest'],
      ]}
    />
  )
}
