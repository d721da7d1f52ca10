import { getLocalTimeZone, today } from '@internationalized/date'
import { readStay, type StayForm, writeStay } from './stay-form.ts'

const KEY = 'serai.recent'
const KEPT = 5

/** Searches of this browser whose check-in is not over, the latest first. */
export function recentSearches(): StayForm[] {
  return stored().flatMap((text) => readStay(new URLSearchParams(text)) ?? [])
}

/** One entry for each place: a search with other dates replaces the earlier one. */
export function rememberSearch(stay: StayForm): void {
  const others = stored().filter((text) => new URLSearchParams(text).get('to') !== stay.placeId)
  save([writeStay(stay).toString(), ...others].slice(0, KEPT))
}

export function forgetSearches(): void {
  save([])
}

function stored(): string[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    const first = today(getLocalTimeZone()).toString()
    return (Array.isArray(read) ? read : []).filter(
      (text): text is string => typeof text === 'string' && (new URLSearchParams(text).get('in') ?? '') >= first,
    )
  } catch {
    return []
  }
}

function save(searches: readonly string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(searches))
  } catch {
    // Storage may be full or forbidden; then nothing is remembered.
  }
}
