import type { Room } from '../api/shapes.ts'
import { type I18n, useI18n } from '../i18n/i18n.tsx'

/** Names beds in the reader's language, or as the vendor describes them. Responses saved by older versions have no types. */
export const nameBeds = ({ beds, bed_types = [] }: Pick<Room, 'beds' | 'bed_types'>, { t, list }: I18n): string[] =>
  beds.map((text, place) => {
    const types = bed_types[place] ?? []
    return types.length === 0 ? text : list(types.map(({ type, count }) => t(`bed_${type}`, { n: count })))
  })

type Props = {
  room: Pick<Room, 'beds' | 'bed_types' | 'each_room'>
  /** Guests of each room, such as "2 adults". */
  parties: readonly string[]
}

/** Beds of the room; of rooms of different kinds, the name, beds and guests of each. */
export function Beds({ room, parties }: Props) {
  const i18n = useI18n()
  const { t } = i18n
  if (room.each_room === undefined) return nameBeds(room, i18n).join(', ')
  return room.each_room.map((each, place) => {
    const { name, sleeps } = each
    const facts = [name, ...nameBeds(each, i18n), sleeps > 0 && t('sleeps', { n: sleeps }), parties[place]]
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: rooms have no id
      <span key={place} className="block">
        {t('room_number', { n: place + 1 })}: {facts.filter(Boolean).join(' · ')}
      </span>
    )
  })
}
