import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listNeighbourhoods } from '../../api/operations.ts'
import { createLocator, type Found } from './neighbourhoods.ts'

/** Adds neighbourhoods to the stays once loaded; if that fails, only the filter is missing. */
export function useNeighbourhoods(placeId: string, found: Found): Found {
  const { data } = useQuery({
    queryKey: ['neighbourhoods', placeId],
    queryFn: () => listNeighbourhoods(placeId),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: placeId !== '',
  })
  const locate = useMemo(() => (data === undefined ? undefined : createLocator(data)), [data])
  return useMemo(() => locate?.(found) ?? found, [locate, found])
}
