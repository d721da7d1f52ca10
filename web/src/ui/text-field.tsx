import { useId } from 'react'
import { Icon } from './icon.tsx'

type Props = {
  id: string
  label: string
  value: string
  onValue(value: string): void
  error: string | undefined
  hint?: string
  type?: 'text' | 'email' | 'tel' | 'password'
  autoComplete: string
  maxLength?: number
  lines?: number
}

/** Labelled field; its error is shown below and announced with it. */
export function TextField(props: Props) {
  const { id, label, value, onValue, error, hint, type = 'text', autoComplete, maxLength = 60, lines } = props
  const hintId = useId()
  const errorId = useId()
  const described = [hint === undefined ? '' : hintId, error === undefined ? '' : errorId].filter(Boolean).join(' ')
  const shared = {
    id,
    name: id,
    value,
    maxLength,
    autoComplete,
    className: 'field',
    // Follows the first letter, so that Arabic and Hebrew are right-to-left.
    dir: 'auto',
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': described === '' ? undefined : described,
    onChange: (event: { target: { value: string } }) => onValue(event.target.value),
  }
  return (
    <div>
      <label htmlFor={id} className="field-label">
        {label}
      </label>
      {lines === undefined ? <input type={type} {...shared} /> : <textarea rows={lines} {...shared} />}
      {hint !== undefined && (
        <p id={hintId} className="mt-1 text-xs text-muted">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={errorId} className="field-error">
          <Icon name="warning" className="mt-0.5 size-4" />
          {error}
        </p>
      )}
    </div>
  )
}
