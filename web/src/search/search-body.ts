import type { SearchBody } from '../api/shapes.ts'
import { formattingLocale, preferences, regionOf } from '../browser/preferences.ts'
import type { StayForm } from './stay-form.ts'

/** Results are shown as they arrive, so the deadline can be longer than for callers who wait for all of them. */
const PATIENCE_MS = 10_000

type Asked = Pick<SearchBody, 'check_in' | 'check_out' | 'occupancies'>

/** Whether two searches are for the same dates and guests: the offers of one are no offers of the other. */
export function isSameStay(one: Asked, other: Asked): boolean {
  const partyOf = ({ occupancies }: Asked) =>
    JSON.stringify(occupancies.map(({ adults, children_ages }) => [adults, ...(children_ages ?? [])]))
  return one.check_in === other.check_in && one.check_out === other.check_out && partyOf(one) === partyOf(other)
}

/** The request body: the form, with the user's language and market. */
export function searchBodyOf(form: StayForm): SearchBody {
  const countryCode = regionOf()
  return {
    destination_id: form.placeId,
    check_in: form.checkIn,
    check_out: form.checkOut,
    occupancies: form.rooms.map(({ adults, children }) => {
      const ages = children.filter((age) => age !== undefined)
      return ages.length === 0 ? { adults } : { adults, children_ages: ages }
    }),
    ...(form.area === undefined ? {} : { area: form.area }),
    currency: form.currency,
    timeout_ms: PATIENCE_MS,
    language: formattingLocale(preferences().locale),
    ...(countryCode === undefined ? {} : { country_code: countryCode }),
  }
}
