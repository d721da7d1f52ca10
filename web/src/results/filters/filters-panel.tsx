import { memo, type ReactNode, useId, useState } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { BOARD_OPTIONS } from '../../search/conditions.ts'
import { Star } from '../../ui/badges.tsx'
import { Icon } from '../../ui/icon.tsx'
import { getAmenityRank } from './amenity-rank.ts'
import { DISTANCE_STEPS, type Facets, RATING_STEPS } from './facets.ts'
import type { Filters } from './filters.ts'
import { PriceFilter } from './price-filter.tsx'

type Props = { filters: Filters; facets: Facets; currency: string; onFilters(filters: Filters): void }

const AMENITIES_SHOWN = 8
/**
 * Options show the number of stays that they would leave, except conditions, which start a search. Memoised, because
 * each vendor response renders the list again.
 */
export const FiltersPanel = memo(function FiltersPanel({ filters, facets, currency, onFilters }: Props) {
  const { t, named } = useI18n()
  return (
    <div className="flex flex-col divide-y divide-line">
      <Section title={t('filter_cancellation')}>
        <Choice
          label={t('filter_free')}
          isChosen={filters.freeCancellation}
          onChoose={(freeCancellation) => onFilters({ ...filters, freeCancellation })}
        />
      </Section>
      <Section title={t('filter_price')}>
        <PriceFilter filters={filters} facets={facets} currency={currency} onFilters={onFilters} />
      </Section>
      <Section title={t('filter_rating')}>
        <RatingChoice filters={filters} facets={facets} onFilters={onFilters} />
      </Section>
      <Section title={t('filter_stars')}>
        <StarChoices filters={filters} facets={facets} onFilters={onFilters} />
      </Section>
      <Section title={t('filter_board')}>
        {BOARD_OPTIONS.map((board) => (
          <Choice
            key={board}
            label={t(`board_${board}`)}
            isChosen={filters.boards.includes(board)}
            onChoose={(on) => onFilters({ ...filters, boards: toggle(filters.boards, board, on) })}
          />
        ))}
      </Section>
      <Section title={t('filter_distance')}>
        <DistanceChoice filters={filters} facets={facets} onFilters={onFilters} />
      </Section>
      <Names
        title={t('filter_neighbourhood')}
        counts={facets.neighbourhoods}
        chosen={filters.neighbourhoods}
        getLabel={String}
        onChosen={(neighbourhoods) => onFilters({ ...filters, neighbourhoods })}
      />
      <Names
        title={t('filter_kind')}
        counts={facets.kinds}
        chosen={filters.kinds}
        getLabel={(kind) => named(`kind_${kind}`, kind)}
        onChosen={(kinds) => onFilters({ ...filters, kinds })}
      />
      <Names
        title={t('filter_chain')}
        counts={facets.chains}
        chosen={filters.chains}
        getLabel={String}
        onChosen={(chains) => onFilters({ ...filters, chains })}
      />
      <Section title={t('filter_amenities')}>
        <Amenities filters={filters} facets={facets} onFilters={onFilters} />
      </Section>
      <Section title={t('filter_name')}>
        <NameField name={filters.name} onName={(name) => onFilters({ ...filters, name })} />
      </Section>
    </div>
  )
})

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
  count?: number
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
      {count !== undefined && <span className="figures text-xs text-muted">{number(count)}</span>}
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
        <span className="flex gap-px text-brass" aria-hidden="true">
          {Array.from({ length: value }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a star is its place
            <Star key={place} />
          ))}
        </span>
      )}
    </Choice>
  ))
}

function RatingChoice({ filters, facets, onFilters }: PartProps) {
  const { t, number } = useI18n()
  return (
    <Steps
      steps={RATING_STEPS.toReversed()}
      chosen={filters.rating}
      counts={facets.ratings}
      getLabel={(step) => t('filter_rating_value', { rating: number(step, 1) })}
      onChosen={(rating) => onFilters({ ...filters, rating })}
    />
  )
}

function DistanceChoice({ filters, facets, onFilters }: PartProps) {
  const { t, number } = useI18n()
  return (
    <Steps
      steps={DISTANCE_STEPS}
      chosen={filters.distance}
      counts={facets.distances}
      getLabel={(step) => t('filter_distance_value', { km: number(step, step < 1 ? 1 : 0) })}
      onChosen={(distance) => onFilters({ ...filters, distance })}
    />
  )
}

type StepsProps = {
  steps: readonly number[]
  chosen: number | undefined
  counts: ReadonlyMap<number, number>
  getLabel(step: number): string
  onChosen(step: number | undefined): void
}

/** A choice of one limit, or none. */
function Steps({ steps, chosen, counts, getLabel, onChosen }: StepsProps) {
  const { t, number } = useI18n()
  const name = useId()
  return [undefined, ...steps].map((step) => (
    <label key={step ?? 'any'} className="flex min-h-9 cursor-pointer items-center gap-2.5 text-sm">
      <input
        type="radio"
        name={name}
        className="size-6 accent-(--accent)"
        checked={chosen === step}
        onChange={() => onChosen(step)}
      />
      <span className="flex-1">{step === undefined ? t('filter_any') : getLabel(step)}</span>
      {step !== undefined && counts.has(step) && (
        <span className="figures text-xs text-muted">{number(counts.get(step) ?? 0)}</span>
      )}
    </label>
  ))
}

type NamesProps = {
  title: string
  counts: ReadonlyMap<string, number>
  chosen: readonly string[]
  getLabel(name: string): string
  onChosen(chosen: readonly string[]): void
}

const NAMES_SHOWN = 6

/** Options in alphabetical order; hidden if there are fewer than two. */
function Names({ title, counts, chosen, getLabel, onChosen }: NamesProps) {
  const { t } = useI18n()
  const [all, setAll] = useState(false)
  const known = [...counts.keys()].sort((a, b) => getLabel(a).localeCompare(getLabel(b)))
  if (known.length < 2 && chosen.length === 0) return null
  const shown = all ? known : known.filter((name, place) => place < NAMES_SHOWN || chosen.includes(name))
  return (
    <Section title={title}>
      {shown.map((name) => (
        <Choice
          key={name}
          label={getLabel(name)}
          count={counts.get(name) ?? 0}
          isChosen={chosen.includes(name)}
          onChoose={(on) => onChosen(toggle(chosen, name, on))}
        />
      ))}
      {known.length > shown.length && <ShowAll label={t('filter_show_all')} onClick={() => setAll(true)} />}
    </Section>
  )
}

function ShowAll({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <button type="button" className="link mt-1 flex min-h-9 items-center gap-1 text-sm" onClick={onClick}>
      {label}
      <Icon name="down" className="size-4" />
    </button>
  )
}

function Amenities({ filters, facets, onFilters }: PartProps) {
  const { t, amenity } = useI18n()
  const [all, setAll] = useState(false)
  // Sorted by name: counts change with every filter, and options must keep their position.
  const known = [...facets.amenities.keys()].sort((a, b) => getAmenityRank(a) - getAmenityRank(b) || a.localeCompare(b))
  const shown = all ? known : known.filter((slug, place) => place < AMENITIES_SHOWN || filters.amenities.includes(slug))
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
      {!all && known.length > shown.length && <ShowAll label={t('more_amenities')} onClick={() => setAll(true)} />}
    </>
  )
}

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
