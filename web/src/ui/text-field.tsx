import { TextField as AriaField, FieldError, Input, Label, Text, TextArea } from 'react-aria-components/TextField'
import { useFault } from './form.tsx'
import { Icon } from './icon.tsx'

type Props = {
  id: string
  /** Name in the service's refusals, if not the id. */
  name?: string
  label: string
  value: string
  onValue(value: string): void
  hint?: string | undefined
  type?: 'text' | 'email' | 'tel' | 'password'
  autoComplete?: string
  maxLength?: number
  lines?: number
  /** For a field outside of a form that finds its errors. */
  error?: string | undefined
}

/** Labelled field that shows the error of its name. */
export function TextField({ id, name = id, label, value, onValue, hint, lines, error, ...props }: Props) {
  const fault = useFault(name)
  const message = error ?? fault.error
  const change = (typed: string) => {
    fault.clear()
    onValue(typed)
  }
  const isInvalid = message !== undefined
  return (
    <AriaField {...{ autoComplete: 'off', maxLength: 60, ...props, id, name, value, isInvalid }} onChange={change}>
      <Label className="field-label">{label}</Label>
      {/* The direction follows the first letter, so that Arabic and Hebrew are right-to-left. */}
      {lines === undefined ? (
        <Input className="field" dir="auto" />
      ) : (
        <TextArea className="field" dir="auto" rows={lines} />
      )}
      {hint !== undefined && (
        <Text slot="description" elementType="p" className="mt-1 text-xs text-muted">
          {hint}
        </Text>
      )}
      <FieldError elementType="p" className="field-error">
        <Icon name="warning" className="mt-0.5 size-4" />
        {message}
      </FieldError>
    </AriaField>
  )
}
