import type { Booking } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'

const STATUS_LOOKS: Record<Booking['status'], readonly [colours: string, icon: IconName]> = {
  pending: ['bg-accent-wash text-accent-strong', 'clock'],
  submitting: ['bg-accent-wash text-accent-strong', 'clock'],
  confirmed: ['bg-good-wash text-good', 'check'],
  rejected: ['bg-bad-wash text-bad', 'close'],
  in_doubt: ['bg-warn-wash text-warn', 'clock'],
  needs_review: ['bg-warn-wash text-warn', 'people'],
  cancelling: ['bg-warn-wash text-warn', 'clock'],
  cancelled: ['bg-sunk text-muted', 'close'],
}

export function StatusTag({ status }: { status: Booking['status'] }) {
  const { t } = useI18n()
  const [colours, icon] = STATUS_LOOKS[status]
  return (
    <span className={`tag ${colours}`}>
      <Icon name={icon} className="size-3.5" />
      {t(`status_${status}`)}
    </span>
  )
}
