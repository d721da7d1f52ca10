import { useMemo, useState } from 'react'
import type { Detail } from '../api/shapes.ts'
import { useWide } from '../browser/media.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { MissingVendors } from '../search/vendor-progress.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Notice } from '../ui/notice.tsx'
import { type RateContext, RoomCard } from './room-card.tsx'
import { groupRoomOffers } from './room-groups.ts'

/** Rooms are sorted cheapest first; the others are one tap away. */
const ROOMS_SHOWN = 6
const ROOMS_SHOWN_PHONE = 3

export function RoomList({ detail, frame }: { detail: Detail; frame: RateContext }) {
  const { t } = useI18n()
  const [all, setAll] = useState(false)
  const first = useWide('48rem') ? ROOMS_SHOWN : ROOMS_SHOWN_PHONE
  const groups = useMemo(() => groupRoomOffers(detail), [detail])
  const shown = all ? groups : groups.slice(0, first)
  return (
    <>
      {detail.simulated && <Notice tone="info">{t('simulated_text')}</Notice>}
      <section id="rooms" className="flex scroll-mt-4 flex-col gap-4" aria-labelledby="rooms-title">
        <h2 id="rooms-title" className="text-2xl">
          {t('choose_room')}
        </h2>
        {detail.partial && <MissingVendors vendors={detail.vendors} onRetry={() => location.reload()} />}
        {groups.length === 0 && <EmptyState title={t('no_rooms_title')} text={t('no_rooms_text')} />}
        {shown.map((group) => (
          <RoomCard key={group.key} group={group} frame={frame} />
        ))}
        {groups.length > shown.length && (
          <button type="button" className="btn btn-quiet" onClick={() => setAll(true)}>
            {t('more_rooms', { n: groups.length - shown.length })}
          </button>
        )}
      </section>
    </>
  )
}
