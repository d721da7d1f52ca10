import { getLocalTimeZone, today } from '@internationalized/date'
import { readStay, type StayForm, writeStay } from './stay-form.ts'

const STORAGE_KEY = 'serai.recent'
const MAX_SEARCHES = 5

/** Searches of this browser with a future check-in, latest first. */
export function readRecentSearches(): StayForm[] {
  return readStored().flatMap((text) => readStay(new URLSearchParams(text)) ?? [])
}

/** One entry per place: a later search replaces the earlier one. Conditions are not remembered, because the entry does not name them. */
export function rememberSearch(stay: StayForm): void {
  const others = readStored().filter((text) => new URLSearchParams(text).get('to') !== stay.placeId)
  writeStored([writeStay({ ...stay, conditions: undefined }).toString(), ...others].slice(0, MAX_SEARCHES))
}

export function forgetSearches(): void {
  writeStored([])
}

function readStored(): string[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    const first = today(getLocalTimeZone()).toString()
    return (Array.isArray(read) ? read : []).filter(
      (text): text is string => typeof text === 'string' && (new URLSearchParams(text).get('in') ?? '') >= first,
    )
  } catch {
    return []
  }
}

function writeStored(searches: readonly string[]): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(searches))
  } catch {
    // Storage may be full or blocked; the search is then not remembered.
  }
}
