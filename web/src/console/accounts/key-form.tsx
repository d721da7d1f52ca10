import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi, serai } from '../../api/client.ts'
import { Modal } from '../../ui/modal.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { FormButtons } from '../parts/form-buttons.tsx'
import { formFaults } from '../parts/form-faults.ts'
import { numberFault, refuseFields } from '../parts/refuse-fields.ts'
import { SelectField } from '../parts/select-field.tsx'
import { BUDGET_FIELDS, BudgetFields, NO_BUDGET, parseBudget } from './budget-fields.tsx'

const SCOPES = ['search', 'book', 'cancel', 'read', 'admin'] as const

type Scope = (typeof SCOPES)[number]

type Props = { accountId: string; onClose(): void; onMade(name: string, key: string): void }

export function KeyForm({ accountId, onClose, onMade }: Props) {
  const [form, setForm] = useState({ name: '', per_minute: '', reason: '' })
  const [mode, setMode] = useState<'live' | 'test'>('live')
  const [scopes, setScopes] = useState<readonly Scope[]>(['search', 'read'])
  const [budget, setBudget] = useState(NO_BUDGET)
  const create = useMutation({
    mutationFn: async () => {
      refuseFields({ per_minute: numberFault(form.per_minute) })
      const limit = parseBudget(budget)
      return callApi(
        serai.operator.createKey({
          account_id: accountId,
          name: form.name,
          mode,
          scopes: [...scopes],
          reason: form.reason.trim(),
          ...(form.per_minute.trim() !== '' && { per_minute: Number(form.per_minute) }),
          ...(limit !== null && { budget: limit }),
        }),
      )
    },
    onSuccess: ({ name, key }) => onMade(name, key),
  })
  const { getError, other } = formFaults(create.error, [...Object.keys(form), ...BUDGET_FIELDS, 'scopes'])
  const field = (name: keyof typeof form, label: string, more: { hint?: string; lines?: number } = {}) => (
    <TextField
      id={`key-${name}`}
      label={label}
      value={form[name]}
      onValue={(value) => setForm({ ...form, [name]: value })}
      error={getError(name)}
      autoComplete="off"
      maxLength={500}
      {...more}
    />
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!create.isPending) create.mutate()
  }
  return (
    <Modal title="New API key" isOpen onClose={onClose}>
      <form className="flex flex-col gap-4 text-sm" onSubmit={submit} noValidate>
        {field('name', 'Name', { hint: 'What it is for.' })}
        <SelectField
          id="key-mode"
          label="Mode"
          value={mode}
          onValue={setMode}
          options={[
            ['live', 'live'],
            ['test', 'test: everything is simulated'],
          ]}
        />
        <ScopeBoxes scopes={scopes} onScopes={setScopes} error={getError('scopes')} />
        {field('per_minute', 'Calls per minute', { hint: 'Leave empty to use the account’s limit.' })}
        <BudgetFields draft={budget} onDraft={setBudget} getError={getError} />
        {field('reason', 'Reason', { hint: 'Kept in the audit log.', lines: 2 })}
        {other && <ProblemNotice error={other} />}
        <FormButtons label="Create the key" busy={create.isPending} onClose={onClose} />
      </form>
    </Modal>
  )
}

type ScopeProps = { scopes: readonly Scope[]; onScopes(scopes: readonly Scope[]): void; error: string | undefined }

function ScopeBoxes({ scopes, onScopes, error }: ScopeProps) {
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">Scopes</legend>
      <div className="flex flex-wrap gap-x-5">
        {SCOPES.map((scope) => (
          <label key={scope} className="flex min-h-9 items-center gap-2">
            <input
              type="checkbox"
              className="size-5"
              checked={scopes.includes(scope)}
              onChange={(event) =>
                onScopes(event.target.checked ? [...scopes, scope] : scopes.filter((chosen) => chosen !== scope))
              }
            />
            {scope}
          </label>
        ))}
      </div>
      {error !== undefined && <p className="field-error">{error}</p>}
    </fieldset>
  )
}
