import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi, serai } from '../../api/client.ts'
import { Form, FormProblem, useForm } from '../../ui/form.tsx'
import { Modal } from '../../ui/modal.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ifEmpty } from '../parts/checks.ts'
import { FormButtons } from '../parts/form-buttons.tsx'
import { NO_REASON, ReasonField } from '../parts/reason-field.tsx'
import type { Difference } from './difference.ts'

type Props = { from: string; difference: Difference; onDone(what: string): void }

/** Stores a vendor's booking that the database does not know. */
export function AdoptButton({ from, difference, onDone }: Props) {
  const [isOpen, setOpen] = useState(false)
  const title = `Adopt ${difference.reference}`
  return (
    <div>
      <button type="button" className="btn btn-primary" onClick={() => setOpen(true)}>
        Adopt
      </button>
      <Modal title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <AdoptForm {...{ from, difference, onDone }} onClose={() => setOpen(false)} />
      </Modal>
    </div>
  )
}

function AdoptForm({ from, difference, onDone, onClose }: Props & { onClose(): void }) {
  const { vendor_id, reference } = difference
  const [accountId, setAccountId] = useState('')
  const [reason, setReason] = useState('')
  const adopt = useMutation({
    mutationFn: () => {
      const order = { from, vendor_id, reference, action: 'adopt' as const }
      return callApi(
        serai.operator.reconciliationCarryOut({ ...order, account_id: accountId.trim(), reason: reason.trim() }),
      )
    },
    onSuccess: () => {
      onClose()
      onDone(`${reference} is adopted. The account has it among its bookings.`)
    },
  })
  const form = useForm({
    ...{ isBusy: adopt.isPending, error: adopt.error },
    check: () => ({
      account_id: ifEmpty(accountId, 'Enter the id of an account, such as acc_1.'),
      reason: ifEmpty(reason, NO_REASON),
    }),
    send: () => adopt.mutate(),
  })
  return (
    <Form form={form} className="flex flex-col gap-4 text-sm">
      <p>A client that repeats the request gets the booking, also if another account has adopted it.</p>
      <TextField
        id="adopt-account"
        name="account_id"
        label="Account id"
        hint="Owner of the booking, from the section Accounts."
        value={accountId}
        onValue={setAccountId}
      />
      <ReasonField id="adopt-reason" name="reason" value={reason} onValue={setReason} />
      <FormProblem form={form} />
      <FormButtons label="Adopt the booking" busy={adopt.isPending} onClose={onClose} />
    </Form>
  )
}
