import { useI18n } from '../i18n/i18n.tsx'
import { formatPinPrice, type Pin, type Spot } from './place-pins.ts'

type Props = {
  pin: Pin
  spot: Spot
  isMarked: boolean
  isOpen: boolean
  onOpen(): void
  onMark(isOver: boolean): void
}

/** Button with name and price; for several stays, the cheapest price and their number. */
export function PricePin({ pin, spot, isMarked, isOpen, onOpen, onMark }: Props) {
  const { t, roundMoney } = useI18n()
  const { property, stays } = pin
  const price = formatPinPrice(pin, roundMoney)
  const label =
    stays.length > 1
      ? t('map_cluster', { n: stays.length - 1, total: stays.length, price, name: property.name })
      : t('map_pin', { name: property.name, price })
  const colours =
    isMarked || isOpen
      ? 'z-10 border-ink bg-ink text-paper'
      : 'border-accent bg-surface text-accent hover:z-10 hover:bg-accent hover:text-accent-ink focus-visible:z-10'
  return (
    <button
      type="button"
      data-pin={property.property_id}
      aria-label={label}
      aria-expanded={isOpen}
      className={`figures absolute top-0 left-0 flex h-7 items-center gap-1 rounded-full border px-2 text-xs font-semibold whitespace-nowrap shadow-card ${colours}`}
      style={{ transform: `translate(${Math.round(spot.x)}px, ${Math.round(spot.y)}px) translate(-50%, -50%)` }}
      onClick={onOpen}
      onPointerEnter={() => onMark(true)}
      onPointerLeave={() => onMark(false)}
      onFocus={() => onMark(true)}
      onBlur={() => onMark(false)}
    >
      {price}
      {stays.length > 1 && <span className="font-normal">+{stays.length - 1}</span>}
    </button>
  )
}
