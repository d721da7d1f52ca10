import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Point } from './bounds.ts'

/** Opens a map with streets elsewhere; ours may have none. */
export function DirectionsLink({ lat, lon }: Point) {
  const { t } = useI18n()
  const query = new URLSearchParams({ to: `${lat},${lon}` })
  return (
    <a
      className="link inline-flex min-h-8 max-sm:min-h-11 items-center gap-1.5 text-sm"
      href={`https://www.openstreetmap.org/directions?${query}#map=16/${lat}/${lon}`}
      rel="noopener noreferrer"
      target="_blank"
    >
      <Icon name="pin" className="size-4" />
      {t('directions')}
    </a>
  )
}
