import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fetchProperty, fetchSavedSearch, searchProperty } from '../api/operations.ts'
import { ApiProblem } from '../api/problem.ts'
import type { Detail } from '../api/shapes.ts'
import { formattingLocale, usePreferences } from '../browser/preferences.ts'
import { hasConditions, NO_CONDITIONS } from '../search/conditions.ts'
import { buildSearchBody, isSameSearch } from '../search/search-body.ts'
import { findFacts } from '../search/search-store.ts'
import { type StayForm, writeStay } from '../search/stay-form.ts'

const NOT_IN_SEARCH_CODES = ['search_expired', 'search_not_found', 'property_not_found']
const hasCode = (error: unknown, codes: readonly string[]) => error instanceof ApiProblem && codes.includes(error.code)
/** True if the service does not know the property, or the id is malformed. */
const isUnknownProperty = (error: unknown) =>
  hasCode(error, ['location_not_found']) ||
  (error instanceof ApiProblem && error.fields.some(({ field }) => field === 'destination_id'))

export const propertyKey = (id: string, stay?: StayForm, language = '') => [
  'property',
  id,
  ...(stay === undefined ? [] : [writeStay(stay).toString(), language]),
]

/**
 * Reads a property with its current rooms from the linked search, or from a new search of this property if that
 * search has expired, is not visible to this account, or is for another stay.
 */
export function useProperty(id: string, stay: StayForm, searchId: string | undefined) {
  const client = useQueryClient()
  const language = formattingLocale(usePreferences().locale)
  const queryKey = propertyKey(id, stay, language)
  const [known, setKnown] = useState<Detail['overview']>()
  const detail = useQuery({
    queryKey,
    queryFn: () => readProperty(id, stay, searchId, language),
    staleTime: 60_000,
  })
  const overview = detail.data?.overview
  useEffect(() => {
    if (overview !== undefined) setKnown(overview)
  }, [overview])
  return {
    detail: detail.data,
    /** Kept while other dates are loading, and if there are no rooms for them. */
    overview: overview ?? known,
    isPending: detail.isPending,
    error: detail.error,
    hasNoRooms: hasCode(detail.error, ['property_not_found']),
    isUnknown: isUnknownProperty(detail.error),
    retry: () => client.resetQueries({ queryKey }),
  }
}

async function readProperty(
  id: string,
  stay: StayForm,
  searchId: string | undefined,
  language: string,
): Promise<Detail> {
  if (searchId !== undefined) {
    try {
      const search = findFacts(searchId) ?? (await fetchSavedSearch(searchId))
      if (search !== undefined && isSameSearch(search, buildSearchBody(stay)))
        return await fetchProperty(searchId, id, language)
    } catch (error) {
      if (!hasCode(error, NOT_IN_SEARCH_CODES)) throw error
    }
  }
  return fetchAround(id, stay, language)
}

/** Falls back to rooms that do not meet the conditions if none does. */
async function fetchAround(id: string, stay: StayForm, language: string): Promise<Detail> {
  const fetch = async (form: StayForm) => fetchProperty(await searchAroundProperty(id, form), id, language)
  try {
    return await fetch(stay)
  } catch (error) {
    if (!hasConditions(stay.conditions ?? NO_CONDITIONS) || !hasCode(error, ['property_not_found'])) throw error
    const detail = await fetch({ ...stay, conditions: undefined })
    const rooms = detail.available_rooms.map((room) => ({ ...room, meets_conditions: false }))
    return { ...detail, available_rooms: rooms }
  }
}

/** Searches around the property, which is fast and needs no place. */
function searchAroundProperty(id: string, stay: StayForm): Promise<string> {
  const around = { area: null, destination_id: id, radius_km: RADIUS_KM }
  return searchProperty({ ...buildSearchBody(stay), ...around })
}

const RADIUS_KM = 0.5
