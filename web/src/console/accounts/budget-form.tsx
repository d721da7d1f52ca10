import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi, serai } from '../../api/client.ts'
import { Form, FormProblem, useForm } from '../../ui/form.tsx'
import { Modal } from '../../ui/modal.tsx'
import { ifEmpty } from '../parts/checks.ts'
import { FormButtons } from '../parts/form-buttons.tsx'
import { NO_REASON, ReasonField } from '../parts/reason-field.tsx'
import type { Key } from './account-detail.ts'
import { BudgetFields, checkBudget, NO_BUDGET, toBudgetBody } from './budget-fields.tsx'

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
          budget: toBudgetBody(draft),
          reason: reason.trim(),
        }),
      ),
    onSuccess: () => onDone(`The budget of ${apiKey.name} was changed. Earlier bookings count towards it.`),
  })
  const form = useForm({
    ...{ isBusy: change.isPending, error: change.error },
    check: () => ({ ...checkBudget(draft), reason: ifEmpty(reason, NO_REASON) }),
    send: () => change.mutate(),
  })
  return (
    <Modal title={`Budget of ${apiKey.name}`} isOpen onClose={onClose}>
      <Form form={form} className="flex flex-col gap-4 text-sm">
        <BudgetFields draft={draft} onDraft={setDraft} />
        <ReasonField
          id="budget-reason"
          name="reason"
          hint="Kept in the audit log."
          value={reason}
          onValue={setReason}
        />
        <FormProblem form={form} />
        <FormButtons label="Change the budget" busy={change.isPending} onClose={onClose} />
      </Form>
    </Modal>
  )
}
