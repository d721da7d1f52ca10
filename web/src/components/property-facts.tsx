import type { Detail } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from './icon.tsx'
import { paragraphs } from './room-card.tsx'

type Overview = Detail['overview']

export function About({ overview }: { overview: Overview }) {
  const { t } = useI18n()
  return (
    <section>
      <h2 className="mb-3 text-xl">{t('about')}</h2>
      <div className="prose-stay">
        {paragraphs(overview.description).map((text) => (
          <p key={text.slice(0, 40)}>{text}</p>
        ))}
      </div>
      <ul className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
        {overview.check_in_time !== '' && (
          <li className="flex items-center gap-2">
            <Icon name="clock" className="size-4" />
            {t('check_in_from', { time: overview.check_in_time })}
          </li>
        )}
        {overview.check_out_time !== '' && (
          <li className="flex items-center gap-2">
            <Icon name="clock" className="size-4" />
            {t('check_out_until', { time: overview.check_out_time })}
          </li>
        )}
      </ul>
    </section>
  )
}

const MARKS = ['overall', 'cleanliness', 'comfort', 'condition', 'service', 'amenities'] as const

export function Ratings({ ratings }: { ratings: Overview['guest_ratings'] }) {
  const { t, number } = useI18n()
  const known = MARKS.filter((mark) => ratings[mark] > 0)
  if (known.length === 0) return null
  return (
    <section>
      <h2 className="mb-3 text-xl">{t('ratings')}</h2>
      <dl className="grid gap-x-10 gap-y-2.5 sm:grid-cols-2">
        {known.map((mark) => (
          <div key={mark} className="grid grid-cols-[8rem_1fr_2rem] items-center gap-3 text-sm">
            <dt>{t(`rating_${mark}`)}</dt>
            <dd className="contents">
              <span className="h-2 overflow-hidden rounded-full bg-sunk" aria-hidden="true">
                <span className="block h-full rounded-full bg-accent" style={{ width: `${ratings[mark] * 20}%` }} />
              </span>
              <span className="figures text-right font-semibold">{number(ratings[mark], 1)}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-muted">{t('reviews', { n: ratings.count })}</p>
    </section>
  )
}

export function Amenities({ amenities }: { amenities: Overview['popular_amenities'] }) {
  const { t } = useI18n()
  const categories = Object.entries(amenities).filter(([, names]) => names.length > 0)
  const [only] = categories
  if (only === undefined) return null
  if (categories.length === 1)
    return (
      <section>
        <h2 className="mb-3 text-xl">{t('amenities')}</h2>
        <ul className="columns-2 gap-8 text-sm text-muted md:columns-3">
          {only[1].map((name) => (
            <li key={name} className="py-0.5">
              {name}
            </li>
          ))}
        </ul>
      </section>
    )
  return (
    <section>
      <h2 className="mb-3 text-xl">{t('amenities')}</h2>
      <div className="columns-2 gap-8 md:columns-3">
        {categories.map(([category, names]) => (
          <div key={category} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 font-sans text-sm font-semibold">{categoryName(category, t('amenities_other'))}</h3>
            <ul className="text-sm text-muted">
              {names.map((name) => (
                <li key={name} className="py-0.5">
                  {name}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  )
}

const categoryName = (category: string, other: string): string =>
  category === '' || /^(other|uncategori[sz]ed|null|undefined)$/i.test(category)
    ? other
    : category.replaceAll('_', ' ').replace(/^\p{L}/u, (letter) => letter.toUpperCase())
