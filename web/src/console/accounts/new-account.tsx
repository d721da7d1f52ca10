import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi, serai } from '../../api/client.ts'
import { Form, FormProblem, useForm } from '../../ui/form.tsx'
import { Modal } from '../../ui/modal.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ifEmpty } from '../parts/checks.ts'
import { FormButtons } from '../parts/form-buttons.tsx'
import { NO_REASON } from '../parts/reason-field.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { Secret } from './secret.tsx'

export const ROLE_OPTIONS = [
  ['client', 'client: searches and books for itself'],
  ['viewer', 'viewer: reads its bookings'],
  ['operator', 'operator: runs the service'],
] as const
export type Role = (typeof ROLE_OPTIONS)[number][0]

const EMPTY = { email: '', name: '', password: '', reason: '' }

export function NewAccount() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn btn-primary" onClick={() => setOpen(true)}>
        New account
      </button>
      {isOpen && <AccountForm onClose={() => setOpen(false)} />}
    </>
  )
}

function AccountForm({ onClose }: { onClose(): void }) {
  const client = useQueryClient()
  const [values, setValues] = useState(EMPTY)
  const [role, setRole] = useState<Role>('client')
  const create = useMutation({
    mutationFn: () => {
      const { email, name, password, reason } = values
      const own = { ...(name.trim() !== '' && { name }), ...(password !== '' && { password }) }
      return callApi(serai.operator.createAccount({ email: email.trim(), role, reason: reason.trim(), ...own }))
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['console', 'accounts'] }),
  })
  const form = useForm({
    ...{ isBusy: create.isPending, error: create.error },
    check: () => ({
      email: /^\S+@\S+$/.test(values.email.trim()) ? undefined : 'Enter an e-mail address, such as name@example.com.',
      reason: ifEmpty(values.reason, NO_REASON),
    }),
    send: () => create.mutate(),
  })
  const field = (name: keyof typeof EMPTY, label: string, more: { hint?: string; lines?: number } = {}) => (
    <TextField
      id={`account-${name}`}
      name={name}
      label={label}
      value={values[name]}
      onValue={(value) => setValues({ ...values, [name]: value })}
      maxLength={500}
      {...more}
    />
  )
  if (create.isSuccess)
    return (
      <Modal title="Account created" isOpen onClose={onClose}>
        <div className="flex flex-col gap-4 text-sm">
          <p role="status">
            {create.data.email} has the role {create.data.role}.
          </p>
          {create.data.password !== null && <Secret label="Password" value={create.data.password} />}
          <a className="btn btn-primary" href={`/console/accounts/${create.data.id}`} onClick={onClose}>
            Open the account
          </a>
        </div>
      </Modal>
    )
  return (
    <Modal title="New account" isOpen onClose={onClose}>
      <Form form={form} className="flex flex-col gap-4 text-sm">
        {field('email', 'E-mail')}
        {field('name', 'Name', { hint: 'Leave empty to use the part of the e-mail before the @.' })}
        <SelectField id="account-role" label="Role" value={role} options={ROLE_OPTIONS} onValue={setRole} />
        {field('password', 'Password', {
          hint: 'At least 12 characters. Leave empty to generate one, which is shown once.',
        })}
        {field('reason', 'Reason', { hint: 'Kept in the audit log.', lines: 2 })}
        <FormProblem form={form} />
        <FormButtons label="Create" busy={create.isPending} onClose={onClose} />
      </Form>
    </Modal>
  )
}
