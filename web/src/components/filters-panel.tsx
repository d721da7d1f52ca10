import { type ReactNode, useEffect, useId, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { type Facets, RATING_STEPS } from '../state/facets.ts'
import type { Filters } from '../state/filters.ts'
import { Icon } from './icon.tsx'

type Props = { filters: Filters; facets: Facets; currency: string; onFilters(filters: Filters): void }

const AMENITIES_FIRST = 8

/** Every option shows how many stays it would leave. */
export function FiltersPanel({ filters, facets, currency, onFilters }: Props) {
  const { t } = useI18n()
  return (
    <div className="flex flex-col divide-y divide-line">
      <Section title={t('filter_cancellation')}>
        <Choice
          label={t('filter_free')}
          count={facets.freeCancellation}
          isChosen={filters.freeCancellation}
          onChoose={(freeCancellation) => onFilters({ ...filters, freeCancellation })}
        />
      </Section>
      <Section title={t('filter_price')}>
        <PriceRange filters={filters} facets={facets} currency={currency} onFilters={onFilters} />
      </Section>
      <Section title={t('filter_rating')}>
        <RatingChoice filters={filters} facets={facets} onFilters={onFilters} />
      </Section>
      <Section title={t('filter_stars')}>
        <StarChoices filters={filters} facets={facets} onFilters={onFilters} />
      </Section>
      <Section title={t('filter_board')}>
        {[...facets.boards].map(([board, count]) => (
          <Choice
            key={board}
            label={t(`board_${board}`)}
            count={count}
            isChosen={filters.boards.includes(board)}
            onChoose={(on) => onFilters({ ...filters, boards: toggle(filters.boards, board, on) })}
          />
        ))}
      </Section>
      <Section title={t('filter_amenities')}>
        <Amenities filters={filters} facets={facets} onFilters={onFilters} />
      </Section>
      <Section title={t('filter_name')}>
        <NameField name={filters.name} onName={(name) => onFilters({ ...filters, name })} />
      </Section>
    </div>
  )
}

function toggle<T>(list: readonly T[], value: T, on: boolean): T[] {
  const others = list.filter((each) => each !== value)
  return on ? [...others, value] : others
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="py-4 first:pt-0">
      <legend className="float-left mb-2 w-full text-sm font-semibold">{title}</legend>
      <div className="clear-both flex flex-col">{children}</div>
    </fieldset>
  )
}

type ChoiceProps = {
  label: string
  count: number
  isChosen: boolean
  onChoose(on: boolean): void
  children?: ReactNode
}

function Choice({ label, count, isChosen, onChoose, children }: ChoiceProps) {
  const { number } = useI18n()
  const none = count === 0 && !isChosen
  return (
    <label className={`flex min-h-9 cursor-pointer items-center gap-2.5 text-sm ${none ? 'text-muted' : ''}`}>
      <input
        type="checkbox"
        className="size-6 accent-(--accent)"
        checked={isChosen}
        onChange={(event) => onChoose(event.target.checked)}
      />
      <span className={children ? 'sr-only' : 'min-w-0 flex-1'}>{label}</span>
      {children && <span className="flex-1">{children}</span>}
      <span className="figures text-xs text-muted">{number(count)}</span>
    </label>
  )
}

type PartProps = { filters: Filters; facets: Facets; onFilters(filters: Filters): void }

function StarChoices({ filters, facets, onFilters }: PartProps) {
  const { t } = useI18n()
  const stars = [...facets.stars.keys()].sort((a, b) => b - a)
  return stars.map((value) => (
    <Choice
      key={value}
      label={value === 0 ? t('filter_unrated') : t('filter_stars_value', { n: value })}
      count={facets.stars.get(value) ?? 0}
      isChosen={filters.stars.includes(value)}
      onChoose={(on) => onFilters({ ...filters, stars: toggle(filters.stars, value, on) })}
    >
      {value > 0 && (
        <span className="text-sm tracking-tight text-brass" aria-hidden="true">
          {'★'.repeat(value)}
        </span>
      )}
    </Choice>
  ))
}

function RatingChoice({ filters, facets, onFilters }: PartProps) {
  const { t, number } = useI18n()
  const name = useId()
  return [undefined, ...RATING_STEPS.toReversed()].map((step) => (
    <label key={step ?? 'any'} className="flex min-h-9 cursor-pointer items-center gap-2.5 text-sm">
      <input
        type="radio"
        name={name}
        className="size-6 accent-(--accent)"
        checked={filters.rating === step}
        onChange={() => onFilters({ ...filters, rating: step })}
      />
      <span className="flex-1">
        {step === undefined ? t('filter_any') : t('filter_rating_value', { rating: number(step, 1) })}
      </span>
      {step !== undefined && (
        <span className="figures text-xs text-muted">{number(facets.ratings.get(step) ?? 0)}</span>
      )}
    </label>
  ))
}

function PriceRange({ filters, facets, currency, onFilters }: PartProps & { currency: string }) {
  const { t } = useI18n()
  const { lowest, highest, bars } = facets.prices
  const most = Math.max(1, ...bars)
  const isInside = (bar: number) => {
    const price = lowest + ((highest - lowest) * (bar + 0.5)) / bars.length
    return price >= (filters.priceMin ?? 0) && price <= (filters.priceMax ?? Number.POSITIVE_INFINITY)
  }
  return (
    <>
      <div className="mb-2 flex h-12 items-end gap-px" aria-hidden="true">
        {bars.map((count, bar) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={bar}
            className={`flex-1 rounded-t-[2px] ${isInside(bar) ? 'bg-accent' : 'bg-line'}`}
            style={{ height: `${count === 0 ? 0 : 8 + (count / most) * 92}%` }}
          />
        ))}
      </div>
      <div className="grid grid-cols-2 gap-2">
        <AmountField
          label={t('filter_price_min')}
          currency={currency}
          placeholder={Math.floor(lowest)}
          amount={filters.priceMin}
          onAmount={(priceMin) => onFilters({ ...filters, priceMin })}
        />
        <AmountField
          label={t('filter_price_max')}
          currency={currency}
          placeholder={Math.ceil(highest)}
          amount={filters.priceMax}
          onAmount={(priceMax) => onFilters({ ...filters, priceMax })}
        />
      </div>
    </>
  )
}

type AmountProps = {
  label: string
  currency: string
  placeholder: number
  amount: number | undefined
  onAmount(amount: number | undefined): void
}

function AmountField({ label, currency, placeholder, amount, onAmount }: AmountProps) {
  const [text, setText] = useState(amount?.toString() ?? '')
  useEffect(() => setText(amount?.toString() ?? ''), [amount])
  const apply = () => {
    const value = Number.parseFloat(text.replace(',', '.'))
    onAmount(Number.isFinite(value) && value >= 0 ? value : undefined)
  }
  return (
    <label className="text-xs text-muted">
      {label} ({currency})
      <input
        className="field figures mt-0.5 text-sm"
        inputMode="decimal"
        placeholder={String(placeholder)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
    </label>
  )
}

function Amenities({ filters, facets, onFilters }: PartProps) {
  const { t, amenity } = useI18n()
  const [all, setAll] = useState(false)
  // Sorted by name, not by count: counts change with every filter, and options must keep their position.
  const known = [...facets.amenities.keys()].sort((a, b) => amenityRank(a) - amenityRank(b) || a.localeCompare(b))
  const shown = all ? known : known.filter((slug, place) => place < AMENITIES_FIRST || filters.amenities.includes(slug))
  return (
    <>
      {shown.map((slug) => (
        <Choice
          key={slug}
          label={amenity(slug)}
          count={facets.amenities.get(slug) ?? 0}
          isChosen={filters.amenities.includes(slug)}
          onChoose={(on) => onFilters({ ...filters, amenities: toggle(filters.amenities, slug, on) })}
        />
      ))}
      {!all && known.length > shown.length && (
        <button
          type="button"
          className="link mt-1 flex min-h-9 items-center gap-1 text-sm"
          onClick={() => setAll(true)}
        >
          {t('more_amenities')}
          <Icon name="down" className="size-4" />
        </button>
      )}
    </>
  )
}

const SHOWN_FIRST =
  'wifi breakfast free_parking parking pool outdoor_pool indoor_pool air_conditioning spa fitness restaurant pets wheelchair'
const RANKS = new Map(SHOWN_FIRST.split(' ').map((slug, place) => [slug, place]))
const amenityRank = (slug: string): number => RANKS.get(slug) ?? 99

function NameField({ name, onName }: { name: string; onName(name: string): void }) {
  const { t } = useI18n()
  return (
    <input
      className="field text-sm"
      type="search"
      aria-label={t('filter_name')}
      value={name}
      onChange={(event) => onName(event.target.value)}
    />
  )
}
