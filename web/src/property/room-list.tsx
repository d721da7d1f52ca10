import { useMemo, useState } from 'react'
import type { Detail } from '../api/shapes.ts'
import { useWide } from '../browser/media.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { type Conditions, hasConditions, NO_CONDITIONS } from '../search/conditions.ts'
import { useConditionNames } from '../search/use-condition-names.ts'
import { MissingVendors } from '../search/vendor-progress.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Notice } from '../ui/notice.tsx'
import { type RateContext, RoomCard } from './room-card.tsx'
import { groupRoomOffers, isWantedRoom, type RoomGroup } from './room-groups.ts'

/** Rooms are sorted cheapest first; the others are one tap away. */
const ROOMS_SHOWN = 6
const ROOMS_SHOWN_PHONE = 3

type Props = { detail: Detail; conditions: Conditions | undefined; frame: RateContext }

/** Rooms that meet the conditions of the search; the others follow on request, or at once if none does. */
export function RoomList({ detail, conditions = NO_CONDITIONS, frame }: Props) {
  const { t } = useI18n()
  const names = useConditionNames(conditions)
  const [meeting, others] = useMemo(
    () => [groupRoomOffers(detail, isWantedRoom), groupRoomOffers(detail, (room) => !isWantedRoom(room))],
    [detail],
  )
  const noneMeets = meeting.length === 0 && others.length > 0
  return (
    <>
      {detail.simulated && <Notice tone="info">{t('simulated_text')}</Notice>}
      <section id="rooms" className="flex scroll-mt-4 flex-col gap-4" aria-labelledby="rooms-title">
        <h2 id="rooms-title" className="text-2xl">
          {t('choose_room')}
        </h2>
        {detail.partial && <MissingVendors vendors={detail.vendors} onRetry={() => location.reload()} />}
        {meeting.length + others.length === 0 && <EmptyState title={t('no_rooms_title')} text={t('no_rooms_text')} />}
        {noneMeets && <Notice tone="info">{t('rooms_none_meet', { names })}</Notice>}
        {hasConditions(conditions) && meeting.length > 0 && <p className="text-sm">{t('rooms_meet', { names })}</p>}
        <RoomCards groups={noneMeets ? others : meeting} frame={frame} />
        {!noneMeets && others.length > 0 && <OtherRooms groups={others} frame={frame} />}
      </section>
    </>
  )
}

type CardsProps = { groups: readonly RoomGroup[]; frame: RateContext }

function RoomCards({ groups, frame }: CardsProps) {
  const { t } = useI18n()
  const [all, setAll] = useState(false)
  const first = useWide('48rem') ? ROOMS_SHOWN : ROOMS_SHOWN_PHONE
  const shown = all ? groups : groups.slice(0, first)
  return (
    <>
      {shown.map((group) => (
        <RoomCard key={group.key} group={group} frame={frame} />
      ))}
      {groups.length > shown.length && (
        <button type="button" className="btn btn-quiet" onClick={() => setAll(true)}>
          {t('more_rooms', { n: groups.length - shown.length })}
        </button>
      )}
    </>
  )
}

function OtherRooms({ groups, frame }: CardsProps) {
  const { t } = useI18n()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn btn-quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t(isOpen ? 'hide_other_rooms' : 'show_all_rooms')}
      </button>
      {isOpen && (
        <>
          <h2 className="mt-2 text-xl">{t('other_rooms')}</h2>
          <RoomCards groups={groups} frame={frame} />
        </>
      )}
    </>
  )
}
