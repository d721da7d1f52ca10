import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Modal } from '../../ui/modal.tsx'
import { Notice, ProblemNotice, TakesFocus } from '../../ui/notice.tsx'
import { FormButtons } from './form-buttons.tsx'
import { ReasonField } from './reason-field.tsx'

type Look = 'primary' | 'quiet' | 'danger'
type Props = {
  label: string
  look?: Look
  /** Does it, and returns what was done, in words for the operator. */
  run(reason: string): Promise<string>
  /** Told what was done; the view shows it with `Done` and reads its data again. */
  onDone(what: string): void
  /** What is asked before it is done. Without it, it is done at once. */
  confirm?: Confirm
}
type Confirm = {
  readonly title: string
  readonly text: ReactNode
  /** Whether a reason must be given. */
  readonly reason?: boolean
  /** The label of the button that confirms; the label of the action when absent. */
  readonly button?: string
}

/** One action of an operator: a button, where wanted a question and a reason, and what went wrong. */
export function ActionButton({ label, look = 'quiet', run, onDone, confirm }: Props) {
  const [asks, setAsks] = useState(false)
  const action = useMutation({
    mutationFn: run,
    onSuccess: (what) => {
      setAsks(false)
      onDone(what)
    },
  })
  const begin = () => {
    if (action.isPending) return
    action.reset()
    if (confirm === undefined) action.mutate('')
    else setAsks(true)
  }
  return (
    <div>
      <button type="button" className={`btn btn-${look}`} aria-disabled={action.isPending} onClick={begin}>
        {action.isPending && !asks ? `${label} …` : label}
      </button>
      {action.isError && !asks && <ProblemNotice error={action.error} />}
      {confirm !== undefined && asks && (
        <Question
          {...{ confirm, label, look }}
          busy={action.isPending}
          error={action.error}
          onClose={() => setAsks(false)}
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
  const [isShort, setShort] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (confirm.reason && reason.trim() === '') return setShort(true)
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
            error={isShort && reason.trim() === '' ? 'Say why.' : undefined}
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

/** What an action has done. It takes the focus, because the button that was pressed may be gone. */
export function Done({ what }: { what: string }) {
  return (
    <TakesFocus key={what}>
      <Notice tone="good" role="status">
        {what}
      </Notice>
    </TakesFocus>
  )
}
