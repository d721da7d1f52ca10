import type { SearchBody } from '../api/shapes.ts'
import { formattingLocale, preferences, regionOf } from './preferences.ts'
import type { StayForm } from './stay-form.ts'

/** Results are shown as they arrive, so the deadline can be longer than for callers who wait for all of them. */
const PATIENCE_MS = 10_000

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
