import { useI18n } from '../i18n/i18n.tsx'
import { isScarce } from './is-scarce.ts'

type Props = { count: number | null; rooms: number; as?: 'p' | 'span'; className?: string }

export function RoomsLeft({ count, rooms, as: Tag = 'span', className = '' }: Props) {
  const { t } = useI18n()
  if (!isScarce(count, rooms)) return null
  return <Tag className={`text-xs text-warn ${className}`}>{t('rooms_left_here', { n: count })}</Tag>
}
