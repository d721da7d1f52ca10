import type { ReactNode } from 'react'
import type { Board } from '../api/shapes.ts'
import { ratingWord } from '../i18n/format.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from './icon.tsx'

/** Star rating in half steps. */
export function Stars({ value }: { value: number }) {
  const { t } = useI18n()
  if (value <= 0) return null
  const half = value % 1 !== 0
  return (
    <span
      role="img"
      className="inline-flex items-center gap-px self-center whitespace-nowrap text-brass"
      aria-label={t('stars_label', { n: value })}
    >
      {Array.from({ length: Math.floor(value) }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a star is its place
        <Star key={place} />
      ))}
      {half && <Star isHalf />}
    </span>
  )
}

const STAR = 'M8 .9l2.2 4.6 5 .7-3.600 3.500.9 5L8 12.300 3.500 14.700l.9-5L.8 6.200l5-.7z'

/** Drawn as SVG, because few fonts have a half star. */
export function Star({ isHalf = false }: { isHalf?: boolean }) {
  return (
    <svg viewBox="0 0 16 16" className="size-3.5" fill="currentColor" aria-hidden="true">
      {isHalf ? (
        <>
          <path d={STAR} fillOpacity="0.3" />
          <path d="M8 .9v11.400L3.500 14.700l.9-5L.8 6.200l5-.7z" />
        </>
      ) : (
        <path d={STAR} />
      )}
    </svg>
  )
}

export function GuestRating({ overall, count }: { overall: number; count: number }) {
  const { t, number } = useI18n()
  if (overall <= 0 || count <= 0) return <span className="text-xs text-muted">{t('not_rated')}</span>
  return (
    <span className="inline-flex max-w-full items-center gap-1.5">
      <span
        className="figures inline-grid h-6 min-w-8 shrink-0 place-items-center rounded-sm bg-night px-1 text-sm font-semibold text-parchment"
        aria-hidden="true"
      >
        {number(overall, 1)}/5
      </span>
      <span className="sr-only">{t('rating_label', { rating: number(overall, 1), n: count })}</span>
      <span className="min-w-0 text-xs leading-tight" aria-hidden="true">
        <span className="text-sm font-semibold">{t(ratingWord(overall))}</span>{' '}
        <span className="inline-block text-muted">{t('reviews', { n: count })}</span>
      </span>
    </span>
  )
}

export function FreeCancellation({ children }: { children?: ReactNode }) {
  const { t } = useI18n()
  return (
    <span className="tag bg-good-wash text-good">
      <Icon name="check" className="size-3.5 shrink-0" />
      {children ?? t('free_cancellation')}
    </span>
  )
}

/** Meals included in a price. "Room only" is plain text, because it is not an advantage. */
export function BoardTag({ board }: { board: Board }) {
  const { t } = useI18n()
  const name = t(`board_${board}`)
  if (board === 'room_only') return <span>{name}</span>
  return (
    <span className="tag bg-accent-wash text-accent-strong">
      <Icon name="meal" className="size-3.5" />
      {name}
    </span>
  )
}

/** A booking or result that never reached a real vendor. */
export function SimulatedTag() {
  const { t } = useI18n()
  return <span className="tag bg-warn-wash text-warn">{t('simulated')}</span>
}

const VENDOR_NAMES: Readonly<Record<string, string>> = { liteapi: 'LiteAPI' }

/** `acme_travel` → "Acme Travel". */
export const formatVendorName = (id: string): string =>
  VENDOR_NAMES[id] ?? id.replaceAll('_', ' ').replace(/\b\p{L}/gu, (letter) => letter.toUpperCase())
