import { useState } from 'react'
import { callApi, serai } from '../../api/client.ts'
import { formatVendorName } from '../../ui/badges.tsx'
import { ActionButton } from '../parts/action-button.tsx'
import { Block } from '../parts/console-page.tsx'
import { Code } from '../parts/facts.tsx'
import { SelectField } from '../parts/select-field.tsx'
import type { Matched } from './records.tsx'

type RoomType = Matched['room_types'][number]
type Props = { match: Matched; onDone(what: string): void }

/** Room types of a property with the vendors' rooms. */
export function RoomTypes({ match, onDone }: Props) {
  return (
    <Block title="Room types">
      {match.room_types.length === 0 ? (
        <p className="text-muted">No vendor has reported rooms yet.</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {match.room_types.map((type) => (
            <li key={type.room_type_id} className="py-3">
              <RoomTypeRow {...{ match, type, onDone }} />
            </li>
          ))}
        </ul>
      )}
    </Block>
  )
}

function RoomTypeRow({ match, type, onDone }: Props & { type: RoomType }) {
  const others = match.room_types.filter(({ room_type_id }) => room_type_id !== type.room_type_id)
  return (
    <div className="grid gap-3 lg:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <h3 className="font-semibold">
          {type.name} <Code>{type.room_type_id}</Code>
        </h3>
        {type.matched_by.length > 0 && <p className="text-muted">Matched by {type.matched_by.join(', ')}</p>}
        {type.kept_apart_by.length > 0 && (
          <p className="text-muted">Differs from the most similar one in {type.kept_apart_by.join(', ')}</p>
        )}
        <ul className="mt-1 flex flex-col gap-1">
          {type.rooms.map((room) => (
            <li key={`${room.vendor_id} ${room.room_id}`} className="flex flex-wrap items-center gap-x-3">
              <span>
                {formatVendorName(room.vendor_id)}: {room.name}
                {room.beds.length > 0 && `, ${room.beds.join(', ')}`}
                {room.square_meters > 0 && `, ${room.square_meters} m²`}
              </span>
              {type.rooms.length > 1 && (
                <ActionButton
                  label="Split off"
                  run={async (reason) => {
                    const { vendor_id, room_id } = room
                    const target = { property_id: match.property_id, vendor_id, room_id }
                    await callApi(serai.operator.splitRoom({ ...target, reason }))
                    return `${room.name} of ${formatVendorName(vendor_id)} is now a separate room type.`
                  }}
                  onDone={onDone}
                  confirm={{
                    title: `Split off ${room.name} of ${formatVendorName(room.vendor_id)}?`,
                    text: 'It gets its own room type. Automatic matching never undoes this.',
                    reason: true,
                  }}
                />
              )}
            </li>
          ))}
        </ul>
      </div>
      {others.length > 0 && <JoinWith {...{ match, type, others, onDone }} />}
    </div>
  )
}

function JoinWith({ match, type, others, onDone }: Props & { type: RoomType; others: readonly RoomType[] }) {
  const [chosen, setChosen] = useState('')
  const id = `join-${type.room_type_id}`
  return (
    <div className="flex flex-wrap items-end gap-2">
      <SelectField
        id={id}
        label="Same as"
        value={chosen}
        onValue={setChosen}
        options={[
          ['', 'none'],
          ...others.map(({ room_type_id, name }) => [room_type_id, `${name} (${room_type_id.slice(-4)})`] as const),
        ]}
      />
      {chosen !== '' && (
        <ActionButton
          label="Join them"
          run={async (reason) => {
            const target = {
              property_id: match.property_id,
              room_type_id: type.room_type_id,
              other_room_type_id: chosen,
            }
            await callApi(serai.operator.joinRooms({ ...target, reason }))
            return `Joined as ${type.room_type_id}.`
          }}
          onDone={(what) => {
            setChosen('')
            onDone(what)
          }}
          confirm={{
            title: 'Join the two room types?',
            text: `${type.name} keeps its id. Automatic matching never undoes this.`,
            reason: true,
          }}
        />
      )}
    </div>
  )
}
