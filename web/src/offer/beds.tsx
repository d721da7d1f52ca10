import type { Room } from '../api/shapes.ts'
import { formatParty } from '../checkout/guest-form.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import type { RoomParty } from '../search/stay-form.ts'

type Props = { room: Pick<Room, 'beds' | 'each_room'>; parties: readonly RoomParty[]; className?: string }

/** Beds of the room; of rooms of different kinds, the name, beds and guests of each. */
export function Beds({ room: { beds, each_room: rooms }, parties, className = '' }: Props) {
  const { t, word } = useI18n()
  if (rooms === undefined) return beds.length > 0 && <span className={className}>{beds.map(word).join(', ')}</span>
  return rooms.map(({ name, beds: own, sleeps }, place) => {
    const party = parties[place]
    const facts = [name, ...own.map(word), sleeps > 0 && t('sleeps', { n: sleeps }), party && formatParty(party, t)]
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: rooms have no id
      <span key={place} className={`block ${className}`}>
        {t('room_number', { n: place + 1 })}: {facts.filter(Boolean).join(' · ')}
      </span>
    )
  })
}
