import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi, serai } from '../../api/client.ts'
import { Modal } from '../../ui/modal.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { FormButtons } from '../parts/form-buttons.tsx'
import { formFaults } from '../parts/form-faults.ts'
import { ReasonField } from '../parts/reason-field.tsx'
import type { Key } from './account-detail.ts'
import { BUDGET_FIELDS, BudgetFields, NO_BUDGET, parseBudget } from './budget-fields.tsx'

type Props = { accountId: string; apiKey: Key; onClose(): void; onDone(what: string): void }

export function BudgetForm({ accountId, apiKey, onClose, onDone }: Props) {
  const { budget } = apiKey
  const [draft, setDraft] = useState(
    budget === null ? NO_BUDGET : { amount: String(budget.amount), currency: budget.currency, per: budget.per },
  )
  const [reason, setReason] = useState('')
  const change = useMutation({
    mutationFn: async () =>
      callApi(
        serai.operator.setBudget({
          account_id: accountId,
          key_id: apiKey.id,
          budget: parseBudget(draft),
          reason: reason.trim(),
        }),
      ),
    onSuccess: () => onDone(`The budget of ${apiKey.name} was changed. Earlier bookings count towards it.`),
  })
  const { getError, other } = formFaults(change.error, [...BUDGET_FIELDS, 'reason'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!change.isPending) change.mutate()
  }
  return (
    <Modal title={`Budget of ${apiKey.name}`} isOpen onClose={onClose}>
      <form className="flex flex-col gap-4 text-sm" onSubmit={submit} noValidate>
        <BudgetFields draft={draft} onDraft={setDraft} getError={getError} />
        <ReasonField
          id="budget-reason"
          hint="Kept in the audit log."
          value={reason}
          onValue={setReason}
          error={getError('reason')}
        />
        {other && <ProblemNotice error={other} />}
        <FormButtons label="Change the budget" busy={change.isPending} onClose={onClose} />
      </form>
    </Modal>
  )
}
