import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi, serai } from '../../api/client.ts'
import { Form, FormProblem, useFault, useForm } from '../../ui/form.tsx'
import { Modal } from '../../ui/modal.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ifEmpty, numberFault } from '../parts/checks.ts'
import { FormButtons } from '../parts/form-buttons.tsx'
import { NO_REASON } from '../parts/reason-field.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { BudgetFields, checkBudget, NO_BUDGET, toBudgetBody } from './budget-fields.tsx'

const SCOPES = ['search', 'book', 'cancel', 'read', 'admin'] as const

type Scope = (typeof SCOPES)[number]

type Props = { accountId: string; onClose(): void; onMade(name: string, key: string): void }

export function KeyForm({ accountId, onClose, onMade }: Props) {
  const [values, setValues] = useState({ name: '', per_minute: '', reason: '' })
  const [mode, setMode] = useState<'live' | 'test'>('live')
  const [scopes, setScopes] = useState<readonly Scope[]>(['search', 'read'])
  const [budget, setBudget] = useState(NO_BUDGET)
  const create = useMutation({
    mutationFn: async () => {
      const limit = toBudgetBody(budget)
      return callApi(
        serai.operator.createKey({
          account_id: accountId,
          name: values.name,
          mode,
          scopes: [...scopes],
          reason: values.reason.trim(),
          ...(values.per_minute.trim() !== '' && { per_minute: Number(values.per_minute) }),
          ...(limit !== null && { budget: limit }),
        }),
      )
    },
    onSuccess: ({ name, key }) => onMade(name, key),
  })
  const form = useForm({
    ...{ isBusy: create.isPending, error: create.error },
    check: () => ({
      name: ifEmpty(values.name),
      scopes: scopes.length === 0 ? 'Choose at least one scope.' : undefined,
      per_minute: numberFault(values.per_minute),
      ...checkBudget(budget),
      reason: ifEmpty(values.reason, NO_REASON),
    }),
    send: () => create.mutate(),
  })
  const field = (name: keyof typeof values, label: string, more: { hint?: string; lines?: number } = {}) => (
    <TextField
      id={`key-${name}`}
      name={name}
      label={label}
      value={values[name]}
      onValue={(value) => setValues({ ...values, [name]: value })}
      maxLength={500}
      {...more}
    />
  )
  return (
    <Modal title="New API key" isOpen onClose={onClose}>
      <Form form={form} className="flex flex-col gap-4 text-sm">
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
        <ScopeBoxes scopes={scopes} onScopes={setScopes} />
        {field('per_minute', 'Calls per minute', { hint: 'Leave empty to use the account’s limit.' })}
        <BudgetFields draft={budget} onDraft={setBudget} />
        {field('reason', 'Reason', { hint: 'Kept in the audit log.', lines: 2 })}
        <FormProblem form={form} />
        <FormButtons label="Create the key" busy={create.isPending} onClose={onClose} />
      </Form>
    </Modal>
  )
}

type ScopeProps = { scopes: readonly Scope[]; onScopes(scopes: readonly Scope[]): void }

function ScopeBoxes({ scopes, onScopes }: ScopeProps) {
  const { error, clear } = useFault('scopes')
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">Scopes</legend>
      <div className="flex flex-wrap gap-x-5">
        {SCOPES.map((scope) => (
          <label key={scope} className="flex min-h-9 items-center gap-2">
            <input
              type="checkbox"
              name="scopes"
              aria-invalid={error !== undefined || undefined}
              aria-describedby={error === undefined ? undefined : 'scopes-error'}
              className="size-5"
              checked={scopes.includes(scope)}
              onChange={(event) => {
                clear()
                onScopes(event.target.checked ? [...scopes, scope] : scopes.filter((chosen) => chosen !== scope))
              }}
            />
            {scope}
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id="scopes-error" className="field-error">
          {error}
        </p>
      )}
    </fieldset>
  )
}
