import { useQuery } from '@tanstack/react-query'
import { pageConfig } from './session.ts'

/** `pageConfig` tries again by itself. */
export const usePageConfig = () =>
  useQuery({ queryKey: ['page-config'], queryFn: pageConfig, staleTime: Number.POSITIVE_INFINITY, retry: false })
