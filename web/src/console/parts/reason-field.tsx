import { TextField } from '../../ui/text-field.tsx'

type Props = {
  id: string
  name?: string
  hint?: string
  value: string
  onValue(value: string): void
  maxLength?: number
}

export const NO_REASON = 'Enter a reason.'

export function ReasonField({ hint = 'Kept in the history and in the audit log.', maxLength = 500, ...props }: Props) {
  return <TextField {...props} label="Reason" hint={hint} maxLength={maxLength} lines={2} />
}
