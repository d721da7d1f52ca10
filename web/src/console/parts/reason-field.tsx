import { TextField } from '../../ui/text-field.tsx'

type Props = {
  id: string
  hint?: string
  value: string
  onValue(value: string): void
  error: string | undefined
  maxLength?: number
}

export function ReasonField({ hint = 'Kept in the history and in the audit log.', maxLength = 500, ...props }: Props) {
  return <TextField {...props} label="Reason" hint={hint} maxLength={maxLength} autoComplete="off" lines={2} />
}
