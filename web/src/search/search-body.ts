import type { SearchBody, SearchResult } from '../api/shapes.ts'
import { formattingLocale, getPreferences, readRegion } from '../browser/preferences.ts'
import { isSameRequest, NO_CONDITIONS, toConditionsRequest } from './conditions.ts'
import type { StayForm } from './stay-form.ts'

/** Results are shown as they arrive, so the timeout can be longer than for other clients. */
const TIMEOUT_MS = 10_000

type Terms = Pick<SearchBody | SearchResult, 'check_in' | 'check_out' | 'occupancies' | 'conditions' | 'currency'>

/** True if two searches have the same dates, guests, currency and conditions, so that offers of one are valid for the other. */
export function isSameSearch(stay: Terms, other: Terms): boolean {
  const serializeParty = ({ occupancies }: Terms) =>
    JSON.stringify(occupancies.map(({ adults, children_ages }) => [adults, ...(children_ages ?? [])]))
  return (
    stay.check_in === other.check_in &&
    stay.check_out === other.check_out &&
    stay.currency === other.currency &&
    serializeParty(stay) === serializeParty(other) &&
    isSameRequest(stay.conditions, other.conditions)
  )
}

/** Adds the user's language and market to the form. */
export function buildSearchBody(form: StayForm): SearchBody {
  const countryCode = readRegion()
  return {
    destination_id: form.placeId,
    check_in: form.checkIn,
    check_out: form.checkOut,
    occupancies: form.rooms.map(({ adults, children }) => {
      const ages = children.filter((age) => age !== undefined)
      return ages.length === 0 ? { adults } : { adults, children_ages: ages }
    }),
    ...(form.area === undefined ? {} : { area: form.area }),
    ...toConditionsRequest(form.conditions ?? NO_CONDITIONS),
    currency: form.currency,
    timeout_ms: TIMEOUT_MS,
    language: formattingLocale(getPreferences().locale),
    ...(countryCode === undefined ? {} : { country_code: countryCode }),
  }
}
