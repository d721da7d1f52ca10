import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { STAY_BOUNDS } from '../api/service-rules.ts'
import { useWide } from '../browser/media.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { useFault } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { Modal } from '../ui/modal.tsx'
import { countGuests, hasAllAges, type RoomParty } from './stay-form.ts'

type Props = { rooms: readonly RoomParty[]; onRooms(rooms: readonly RoomParty[]): void }

export function PartyField({ rooms, onRooms }: Props) {
  const { t } = useI18n()
  const { error, clear } = useFault('rooms')
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const label = useId()
  const value = useId()
  const fault = useId()
  const { adults, children } = countGuests(rooms)
  const text = [
    t('rooms', { n: rooms.length }),
    t('adults', { n: adults }),
    ...(children === 0 ? [] : [t('children', { n: children })]),
  ]
  return (
    <div className="segment" data-invalid={error !== undefined || undefined}>
      <span id={label} className="segment-label">
        <Icon name="people" className="size-4" />
        {t('who')}
      </span>
      <Button
        ref={button}
        className="segment-input flex items-center justify-between gap-2 text-left"
        aria-labelledby={`${label} ${value}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
        {...(error === undefined ? {} : { 'aria-describedby': fault, 'data-fault': true })}
      >
        <span id={value} className="truncate">
          {text.join(', ')}
        </span>
        <Icon name="down" className="size-4 text-muted" />
      </Button>
      <PartyDialog button={button} isOpen={isOpen} onOpen={setOpen} label={label}>
        <PartyEditor
          rooms={rooms}
          onRooms={(changed) => {
            if (hasAllAges(changed)) clear()
            onRooms(changed)
          }}
          error={error}
        />
      </PartyDialog>
      {error !== undefined && (
        <span id={fault} className="field-error">
          {error}
        </span>
      )}
    </div>
  )
}

type DialogProps = {
  button: RefObject<HTMLButtonElement | null>
  isOpen: boolean
  onOpen(isOpen: boolean): void
  label: string
  children: ReactNode
}

/** Opens beside the button, and from the bottom of a phone. */
function PartyDialog({ button, isOpen, onOpen, label, children }: DialogProps) {
  const { t } = useI18n()
  const isWide = useWide('40rem')
  const done = (
    <button type="button" className="btn btn-primary w-full" onClick={() => onOpen(false)}>
      {t('done')}
    </button>
  )
  if (!isWide)
    return (
      <Modal title={t('who')} isOpen={isOpen} onClose={() => onOpen(false)} shape="sheet" footer={done}>
        {children}
      </Modal>
    )
  return (
    <Popover
      triggerRef={button}
      isOpen={isOpen}
      onOpenChange={onOpen}
      className="w-80 max-w-[calc(100vw-1rem)] overflow-auto rounded-md border border-line bg-surface shadow-lift"
    >
      <Dialog aria-labelledby={label} className="p-4 outline-none">
        {children}
        <div className="sticky bottom-0 -mx-4 -mb-4 bg-surface p-4">{done}</div>
      </Dialog>
    </Popover>
  )
}

type EditorProps = Props & { error: string | undefined }

function PartyEditor({ rooms, onRooms, error }: EditorProps) {
  const { t } = useI18n()
  const add = useRef<HTMLButtonElement>(null)
  const editor = useRef<HTMLDivElement>(null)
  const count = useRef(rooms.length)
  // The removed room's button had the focus.
  useEffect(() => {
    if (rooms.length < count.current) add.current?.focus()
    count.current = rooms.length
  }, [rooms.length])
  // The search was refused because of an age in this dialog.
  useEffect(() => editor.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [])
  return (
    <div ref={editor} className="flex flex-col gap-4">
      {rooms.map((room, index) => (
        <RoomEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: rooms have no id
          key={index}
          number={index + 1}
          room={room}
          onRoom={(next) => onRooms(rooms.map((each, i) => (i === index ? next : each)))}
          onRemove={rooms.length > 1 ? () => onRooms(rooms.filter((_, i) => i !== index)) : undefined}
          error={error}
        />
      ))}
      {rooms.length < STAY_BOUNDS.roomsMax && (
        <button
          ref={add}
          type="button"
          className="btn btn-quiet"
          onClick={() => onRooms([...rooms, { adults: 2, children: [] }])}
        >
          <Icon name="plus" className="size-4" />
          {t('add_room')}
        </button>
      )}
    </div>
  )
}

type RoomProps = AgesProps & { number: number; onRemove: (() => void) | undefined }

function RoomEditor({ number, room, onRoom, onRemove, error }: RoomProps) {
  const { t } = useI18n()
  return (
    <fieldset className="min-w-0 border-b border-line pb-4 last-of-type:border-0 last-of-type:pb-0">
      <legend className="float-left mb-2 py-1 font-semibold">{t('room_number', { n: number })}</legend>
      {onRemove !== undefined && (
        <button
          type="button"
          className="link float-right -my-1 -mr-3 grid size-11 place-items-center"
          aria-label={t('remove_room', { n: number })}
          onClick={onRemove}
        >
          <Icon name="close" className="size-4" />
        </button>
      )}
      <div className="clear-both flex flex-col gap-2">
        <Stepper
          label={t('adults_label')}
          value={room.adults}
          min={1}
          max={STAY_BOUNDS.adultsMax}
          onValue={(adults) => onRoom({ ...room, adults })}
        />
        <Stepper
          label={t('children_label')}
          hint={t('children_hint')}
          value={room.children.length}
          min={0}
          max={STAY_BOUNDS.childrenMax}
          onValue={(count) => onRoom({ ...room, children: Array.from({ length: count }, (_, i) => room.children[i]) })}
        />
        <Ages room={room} onRoom={onRoom} error={error} />
      </div>
    </fieldset>
  )
}

type AgesProps = { room: RoomParty; onRoom(room: RoomParty): void; error: string | undefined }

function Ages({ room, onRoom, error }: AgesProps) {
  const { t } = useI18n()
  const errorId = useId()
  if (room.children.length === 0) return null
  return (
    <div className="mt-1 grid grid-cols-3 gap-2">
      {error !== undefined && (
        <p id={errorId} className="field-error col-span-3">
          {error}
        </p>
      )}
      {room.children.map((age, child) => (
        <select
          // biome-ignore lint/suspicious/noArrayIndexKey: children have no id
          key={child}
          className="field px-2 text-sm"
          aria-label={t('child_age', { n: child + 1 })}
          aria-invalid={(error !== undefined && age === undefined) || undefined}
          aria-describedby={error === undefined ? undefined : errorId}
          value={age ?? ''}
          onChange={(event) => {
            const next = event.target.value === '' ? undefined : Number(event.target.value)
            onRoom({ ...room, children: room.children.map((each, i) => (i === child ? next : each)) })
          }}
        >
          <option value="">{t('age_choose')}</option>
          {Array.from({ length: STAY_BOUNDS.childAgeMax + 1 }, (_, years) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the age
            <option key={years} value={years}>
              {years === 0 ? t('age_under_one') : years}
            </option>
          ))}
        </select>
      ))}
    </div>
  )
}

type StepperProps = {
  label: string
  hint?: string
  value: number
  min: number
  max: number
  onValue(value: number): void
}

function Stepper({ label, hint, value, min, max, onValue }: StepperProps) {
  const { t } = useI18n()
  // Never disabled, so that it keeps focus at the limit.
  const step = (to: number, label: string, icon: 'minus' | 'plus') => (
    <button
      type="button"
      className="grid size-11 place-items-center rounded-full border border-edge text-accent hover:border-accent hover:bg-accent-wash aria-disabled:cursor-default aria-disabled:border-line aria-disabled:bg-transparent aria-disabled:text-muted aria-disabled:opacity-60"
      aria-label={label}
      aria-disabled={to < min || to > max}
      onClick={() => to >= min && to <= max && onValue(to)}
    >
      <Icon name={icon} className="size-4" />
    </button>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend of its own
    <div role="group" aria-label={label} className="flex flex-wrap items-center justify-between gap-3">
      <span>
        {label}
        {hint !== undefined && <span className="block text-xs text-muted">{hint}</span>}
      </span>
      <span className="flex flex-wrap items-center gap-2">
        {step(value - 1, t('fewer', { what: label }), 'minus')}
        <output className="figures w-7 text-center font-semibold" aria-live="polite">
          {value}
        </output>
        {step(value + 1, t('more', { what: label }), 'plus')}
      </span>
    </div>
  )
}
