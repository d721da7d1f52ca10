import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { Summary } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { pageConfig } from '../state/session.ts'
import { ErrorBoundary } from './error-boundary.tsx'

const StayMap = lazy(() => import('../map/stay-map.tsx'))

export const usePageConfig = () =>
  useQuery({ queryKey: ['page-config'], queryFn: pageConfig, staleTime: Number.POSITIVE_INFINITY })

type Props = {
  properties: readonly Summary[]
  centre: { lat: number; lon: number } | undefined
  marked: string | undefined
  hrefOf(property: Summary): string
}

/** The map is loaded separately, after the list; the page works without it. */
export function MapFrame(props: Props) {
  const { t } = useI18n()
  const { data } = usePageConfig()
  return (
    <ErrorBoundary
      fallback={
        <p className="grid size-full place-items-center p-6 text-center text-sm text-muted">{t('map_failed')}</p>
      }
    >
      <Suspense fallback={<div className="skeleton size-full rounded-none" />}>
        <StayMap {...props} tiles={data?.tile_style_url ?? null} />
      </Suspense>
    </ErrorBoundary>
  )
}
