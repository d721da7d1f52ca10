import { useEffect, useRef } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { MarkedMoney } from '../offer/price.tsx'
import { GuestRating, Stars } from '../ui/badges.tsx'
import { Icon } from '../ui/icon.tsx'
import { Picture } from '../ui/picture.tsx'
import type { Pin, Spot } from './place-pins.ts'

type Props = {
  pin: Pin
  spot: Spot
  size: { readonly width: number; readonly height: number }
  linkTo(property: Pin['property']): string
  onZoom(): void
  onClose(): void
}

const CARD = { width: 288, gap: 22, margin: 10 }

const SMALL_MAP = { width: 480, height: 640 }

/** True if the map has no space for its buttons beside the card, which is then at the bottom. */
export const isSmallMap = ({ width, height }: Props['size']): boolean =>
  width < SMALL_MAP.width || height < SMALL_MAP.height

/** On a lower map the stays of a cluster leave no space for a picture. */
const LOW_MAP = 480

/** Opens beside its pin, inside the map. */
export function PinCard({ pin, spot, size, linkTo, onZoom, onClose }: Props) {
  const { t } = useI18n()
  const { property, stays } = pin
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => link.current?.focus({ preventScroll: true }), [])
  const width = Math.min(CARD.width, size.width - 2 * CARD.margin)
  const left = Math.min(Math.max(CARD.margin, spot.x - width / 2), size.width - width - CARD.margin)
  const isBelow = spot.y < size.height / 2
  const hasPicture = property.image !== '' && (stays.length === 1 || size.height >= LOW_MAP)
  const vertical = isSmallMap(size)
    ? { bottom: CARD.margin }
    : isBelow
      ? { top: spot.y + CARD.gap }
      : { bottom: size.height - spot.y + CARD.gap }
  return (
    <article className="card absolute z-30 overflow-hidden shadow-lift" style={{ left, width, ...vertical }}>
      <button
        type="button"
        className="absolute top-1.5 right-1.5 z-10 grid size-8 place-items-center rounded-full bg-surface text-ink shadow-card max-sm:top-0 max-sm:right-0 max-sm:size-11"
        aria-label={t('close')}
        onClick={onClose}
      >
        <Icon name="close" className="size-4" />
      </button>
      {hasPicture && <Picture src={property.image} alt="" className="h-24 w-full" />}
      <div className="p-3">
        <a
          ref={link}
          href={linkTo(property)}
          className={`block font-serif leading-snug font-semibold hover:text-accent ${hasPicture ? '' : 'pr-8 max-sm:pr-10'}`}
        >
          {property.name}
        </a>
        <div className="mt-1 flex flex-wrap items-center justify-between gap-2">
          <span className="flex flex-wrap items-center gap-2">
            <Stars value={property.star_rating} />
            <GuestRating overall={property.guest_rating} count={property.review_count} />
          </span>
          <span className="font-serif text-lg font-semibold whitespace-nowrap">
            <MarkedMoney total={property.total_price} currency={property.currency} converted={property.converted} />
          </span>
        </div>
        {property.fees_in_text && <p className="text-xs text-warn">{t('card_text_fees')}</p>}
        {stays.length > 1 && (
          <OtherStays stays={stays.slice(1)} listed={hasPicture ? 3 : 2} linkTo={linkTo} onZoom={onZoom} />
        )}
      </div>
    </article>
  )
}

type OthersProps = Pick<Props, 'linkTo' | 'onZoom'> & { stays: Pin['stays']; listed: number }

/** The first `listed` of the other stays; the map shows the rest when it is enlarged. */
function OtherStays({ stays, listed, linkTo, onZoom }: OthersProps) {
  const { t } = useI18n()
  const rest = stays.length - listed
  return (
    <div className="mt-2 border-t border-line pt-1 text-sm">
      <p className="text-xs text-muted">{t('map_also_here')}</p>
      <ul>
        {stays.slice(0, listed).map((property) => (
          <li key={property.property_id} className="flex min-h-7 items-center justify-between gap-3 max-sm:min-h-11">
            <a href={linkTo(property)} className="link truncate py-1 max-sm:py-2.5">
              {property.name}
            </a>
            <span className="whitespace-nowrap">
              <MarkedMoney total={property.total_price} currency={property.currency} converted={property.converted} />
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <button type="button" className="link min-h-8" onClick={onZoom}>
          {t('map_more_here', { n: rest })} · {t('map_zoom_in')}
        </button>
      )}
    </div>
  )
}
