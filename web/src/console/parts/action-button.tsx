import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Form, FormProblem, useForm } from '../../ui/form.tsx'
import { Modal } from '../../ui/modal.tsx'
import { FocusOnMount, Notice, ProblemNotice } from '../../ui/notice.tsx'
import { ifEmpty } from './checks.ts'
import { FormButtons } from './form-buttons.tsx'
import { NO_REASON, ReasonField } from './reason-field.tsx'

type Look = 'primary' | 'quiet' | 'danger'
type Props = {
  label: string
  look?: Look
  /** Performs the action and returns a message for the operator. */
  run(reason: string): Promise<string>
  /** Called with that message; the view shows it with `Done` and reloads its data. */
  onDone(what: string): void
  /** Confirmation dialog; without it, the action runs at once. */
  confirm?: Confirm
}
type Confirm = {
  readonly title: string
  readonly text: ReactNode
  /** True if a reason is required. */
  readonly reason?: boolean
  /** Label of the confirm button; defaults to the label of the action. */
  readonly button?: string
}

/** Button for an operator's action, with an optional confirmation and reason, and its error. */
export function ActionButton({ label, look = 'quiet', run, onDone, confirm }: Props) {
  const [isAsking, setAsking] = useState(false)
  const action = useMutation({
    mutationFn: run,
    onSuccess: (what) => {
      setAsking(false)
      onDone(what)
    },
  })
  const begin = () => {
    if (action.isPending) return
    action.reset()
    if (confirm === undefined) action.mutate('')
    else setAsking(true)
  }
  return (
    <div>
      <button type="button" className={`btn btn-${look}`} aria-disabled={action.isPending} onClick={begin}>
        {action.isPending && !isAsking ? `${label} …` : label}
      </button>
      {action.isError && !isAsking && <ProblemNotice error={action.error} />}
      {confirm !== undefined && isAsking && (
        <Question
          {...{ confirm, label, look }}
          busy={action.isPending}
          error={action.error}
          onClose={() => setAsking(false)}
          onYes={(reason) => action.mutate(reason)}
        />
      )}
    </div>
  )
}

type QuestionProps = {
  confirm: Confirm
  label: string
  look: Look
  busy: boolean
  error: Error | null
  onClose(): void
  onYes(reason: string): void
}

function Question({ confirm, label, look, busy, error, onClose, onYes }: QuestionProps) {
  const [reason, setReason] = useState('')
  const form = useForm({
    ...{ isBusy: busy, error },
    check: () => ({ reason: confirm.reason ? ifEmpty(reason, NO_REASON) : undefined }),
    send: () => onYes(reason.trim()),
  })
  return (
    <Modal title={confirm.title} isOpen onClose={onClose}>
      <Form form={form} className="flex flex-col gap-4 text-sm">
        <div>{confirm.text}</div>
        {confirm.reason && <ReasonField id="reason" value={reason} onValue={setReason} />}
        <FormProblem form={form} />
        <FormButtons
          label={confirm.button ?? label}
          busy={busy}
          look={look === 'quiet' ? 'primary' : look}
          onClose={onClose}
        />
      </Form>
    </Modal>
  )
}

/** Result of an action. Takes focus, because the button may be gone. */
export function Done({ what }: { what: string }) {
  return (
    <FocusOnMount key={what}>
      <Notice tone="good" role="status">
        {what}
      </Notice>
    </FocusOnMount>
  )
}
