import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { findProperty, propertyDetail, savedTerms } from '../api/operations.ts'
import { ApiProblem } from '../api/problem.ts'
import type { Detail } from '../api/shapes.ts'
import { formattingLocale, usePreferences } from '../browser/preferences.ts'
import { isSameStay, searchBodyOf } from '../search/search-body.ts'
import { knownFacts } from '../search/search-store.ts'
import { type StayForm, writeStay } from '../search/stay-form.ts'
import { propertyLocationId } from './property-location.ts'

const NOT_IN_SEARCH = ['search_expired', 'search_not_found', 'property_not_found']
const hasCode = (error: unknown, codes: readonly string[]) => error instanceof ApiProblem && codes.includes(error.code)

export const propertyKey = (id: string, stay?: StayForm, language = '') => [
  'property',
  id,
  ...(stay === undefined ? [] : [writeStay(stay).toString(), language]),
]

/**
 * A property with its current rooms. It is read from the search that the link names; where that has expired, belongs to
 * somebody else, is for other dates or guests, or never was, from a new search of this property alone. So links keep working.
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
    /** Also while other dates are being asked for, and when there are no rooms for them. */
    overview: overview ?? known,
    isPending: detail.isPending,
    error: detail.error,
    hasNoRooms: hasCode(detail.error, ['property_not_found']),
    isUnknown: hasCode(detail.error, ['location_not_found']),
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
      const search = knownFacts(searchId) ?? (await savedTerms(searchId))
      if (search !== undefined && isSameStay(search, searchBodyOf(stay)))
        return await propertyDetail(searchId, id, language)
    } catch (error) {
      if (!hasCode(error, NOT_IN_SEARCH)) throw error
    }
  }
  return propertyDetail(await freshSearch(id, stay), id, language)
}

/** Around the property itself, which is quick and needs no place. */
function freshSearch(id: string, stay: StayForm): Promise<string> {
  const around = { area: null, destination_id: propertyLocationId(id), radius_km: AROUND_KM }
  return findProperty({ ...searchBodyOf(stay), ...around })
}

const AROUND_KM = 0.5
