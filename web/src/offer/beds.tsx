import type { Room } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'

type Props = {
  room: Pick<Room, 'beds' | 'each_room'>
  /** Guests of each room, such as "2 adults". */
  parties: readonly string[]
}

/** Beds of the room; of rooms of different kinds, the name, beds and guests of each. */
export function Beds({ room: { beds, each_room: rooms }, parties }: Props) {
  const { t, word } = useI18n()
  if (rooms === undefined) return beds.map(word).join(', ')
  return rooms.map(({ name, beds: own, sleeps }, place) => {
    const facts = [name, ...own.map(word), sleeps > 0 && t('sleeps', { n: sleeps }), parties[place]]
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: rooms have no id
      <span key={place} className="block">
        {t('room_number', { n: place + 1 })}: {facts.filter(Boolean).join(' · ')}
      </span>
    )
  })
}
