import { useQuery } from '@tanstack/react-query'
import { loadPageConfig } from './session.ts'

/** No retries here: `loadPageConfig` retries itself. */
export const usePageConfig = () =>
  useQuery({ queryKey: ['page-config'], queryFn: loadPageConfig, staleTime: Number.POSITIVE_INFINITY, retry: false })
