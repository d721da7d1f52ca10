import { type ComponentProps, createContext, type FormEvent, use, useEffect, useRef, useState } from 'react'
import { Form as AriaForm } from 'react-aria-components/Form'
import { ApiProblem } from '../api/problem.ts'
import { useI18n } from '../i18n/i18n.tsx'
import type { Faults } from './faults.ts'
import { ProblemNotice, useRefusalText } from './notice.tsx'

type Options = {
  /** Finds errors before the form is sent. */
  check?(): Faults
  send(): void
  isBusy?: boolean
  /** Failure of the last sending. */
  error?: Error | null
  /** Faults that are known when the form opens. */
  initial?: Faults
}

/** Sends a form without errors; otherwise moves the focus to its first error. */
export function useForm({ check, send, isBusy = false, error = null, initial = {} }: Options) {
  const ref = useRef<HTMLFormElement>(null)
  const refusalText = useRefusalText()
  const [faults, setFaults] = useState(initial)
  const [attempts, setAttempts] = useState(0)
  const [problem, setProblem] = useState<Error | null>(null)
  const refuse = (found: Faults) => {
    setFaults(found)
    setAttempts((count) => count + 1)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each attempt
  useEffect(() => focusFirstFault(ref.current), [attempts])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each failure
  useEffect(() => {
    const fields = error instanceof ApiProblem ? error.fields : []
    const known = fields.filter(({ field }) => ref.current?.elements.namedItem(field))
    setProblem(fields.length > 0 && known.length === fields.length ? null : error)
    if (known.length > 0) refuse(Object.fromEntries(known.map((each) => [each.field, refusalText(each)])))
  }, [error])
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const found = Object.entries(check?.() ?? {}).filter(([, message]) => message !== undefined)
    refuse(Object.fromEntries(found))
    if (found.length === 0) send()
  }
  /** Removes the message beside a field as soon as the field is changed. */
  const clear = (name: string) => setFaults(({ [name]: _, ...others }) => others)
  return { ref, faults, problem, refuse, clear, onSubmit }
}

const FaultContext = createContext<Pick<ReturnType<typeof useForm>, 'faults' | 'clear'>>({
  faults: {},
  clear: () => undefined,
})

/** Error of one field, and a function that removes it. */
export function useFault(name: string) {
  const { faults, clear } = use(FaultContext)
  return { error: faults[name], clear: () => clear(name) }
}

export function Form({
  form,
  children,
  ...props
}: ComponentProps<typeof AriaForm> & { form: ReturnType<typeof useForm> }) {
  const { t } = useI18n()
  const { ref, faults, clear, onSubmit } = form
  const count = Object.keys(faults).length
  return (
    <FaultContext value={{ faults, clear }}>
      <AriaForm {...props} ref={ref} onSubmit={onSubmit} validationBehavior="aria">
        {count > 0 && (
          <p role="alert" className="sr-only">
            {t('faults_title', { n: count })}
          </p>
        )}
        {children}
      </AriaForm>
    </FaultContext>
  )
}

/** Failure that is not beside a field. */
export const FormProblem = ({ form }: { form: ReturnType<typeof useForm> }) =>
  form.problem && <ProblemNotice error={form.problem} />

/** Opens the dialog of a button whose fields have the error. */
function focusFirstFault(form: HTMLFormElement | null): void {
  const first = form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')
  first?.focus()
  if (first?.matches('button[data-fault]')) first.click()
}
