import { lazy, Suspense } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { usePageConfig } from '../session/use-page-config.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { canDrawMaps } from './can-draw.ts'
import type { StayMapProps } from './stay-map.tsx'

const StayMap = lazy(() => import('./stay-map.tsx'))

/** Loads the map after the list. The list contains every stay, so the page works without a map. */
export function MapFrame(props: Omit<StayMapProps, 'styleUrl'>) {
  const { t } = useI18n()
  const { data, isPending } = usePageConfig()
  const waiting = <div className="skeleton size-full rounded-none" />
  const failed = (
    <p data-map-failed className="grid size-full place-items-center p-6 text-center text-sm text-muted">
      {t('map_failed')} {props.onArea !== undefined && t('map_failed_list')}
    </p>
  )
  if (!canDrawMaps()) return failed
  return (
    <ErrorBoundary fallback={failed}>
      <Suspense fallback={waiting}>
        {isPending ? waiting : <StayMap {...props} styleUrl={data?.map_style_url ?? null} />}
      </Suspense>
    </ErrorBoundary>
  )
}
