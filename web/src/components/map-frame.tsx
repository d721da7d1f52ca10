import { useQuery } from '@tanstack/react-query'
import { Component, lazy, type ReactNode, Suspense } from 'react'
import { readPageConfig } from '../api/operations.ts'
import type { Summary } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'

const StayMap = lazy(() => import('../map/stay-map.tsx'))

export const usePageConfig = () =>
  useQuery({ queryKey: ['page-config'], queryFn: readPageConfig, staleTime: Number.POSITIVE_INFINITY })

type Props = {
  properties: readonly Summary[]
  centre: { lat: number; lon: number } | undefined
  marked: string | undefined
  hrefOf(property: Summary): string
}

/** The map comes after the list, in its own download; if it does not come at all nothing else is missing. */
export function MapFrame(props: Props) {
  const { t } = useI18n()
  const { data } = usePageConfig()
  return (
    <MapBoundary
      fallback={
        <p className="grid size-full place-items-center p-6 text-center text-sm text-muted">{t('map_failed')}</p>
      }
    >
      <Suspense fallback={<div className="skeleton size-full rounded-none" />}>
        <StayMap {...props} tiles={data?.tile_style_url ?? null} />
      </Suspense>
    </MapBoundary>
  )
}

class MapBoundary extends Component<{ fallback: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError() {
    return { failed: true }
  }
  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
