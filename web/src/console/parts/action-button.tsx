import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Modal } from '../../ui/modal.tsx'
import { FocusOnMount, Notice, ProblemNotice } from '../../ui/notice.tsx'
import { FormButtons } from './form-buttons.tsx'
import { ReasonField } from './reason-field.tsx'

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
  const [isReasonMissing, setReasonMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (confirm.reason && reason.trim() === '') return setReasonMissing(true)
    if (!busy) onYes(reason.trim())
  }
  return (
    <Modal title={confirm.title} isOpen onClose={onClose}>
      <form className="flex flex-col gap-4 text-sm" onSubmit={submit}>
        <div>{confirm.text}</div>
        {confirm.reason && (
          <ReasonField
            id="reason"
            value={reason}
            onValue={setReason}
            error={isReasonMissing && reason.trim() === '' ? 'Enter a reason.' : undefined}
          />
        )}
        {error !== null && <ProblemNotice error={error} />}
        <FormButtons
          label={confirm.button ?? label}
          busy={busy}
          look={look === 'quiet' ? 'primary' : look}
          onClose={onClose}
        />
      </form>
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
