import { type CalendarDate, type DateValue, parseDate, today } from '@internationalized/date'
import { type ReactNode, use, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { DateFieldContext } from 'react-aria-components/DateField'
import {
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DateRangePicker,
  DateSegment,
  FieldError,
  Group,
  Label,
  Popover,
  RangeCalendar,
} from 'react-aria-components/DateRangePicker'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { STAY_BOUNDS } from '../api/service-rules.ts'
import { useTall, useWide } from '../browser/media.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { useFault } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { nightsBetween } from './stay-form.ts'

export type Dates = { readonly checkIn: string; readonly checkOut: string }
export type DatesFault = 'dates_missing' | 'dates_zero' | 'dates_long' | 'dates_past' | 'dates_far'

/** Also checks typed dates. `zone` is the destination's time zone. */
export function checkDates({ checkIn, checkOut }: Dates, zone: string): DatesFault | undefined {
  if (checkIn === '' || checkOut === '') return 'dates_missing'
  const first = today(zone)
  if (checkIn < first.toString()) return 'dates_past'
  if (checkIn > first.add({ days: STAY_BOUNDS.leadDaysMax }).toString()) return 'dates_far'
  const nights = nightsBetween(checkIn, checkOut)
  return nights < 1 ? 'dates_zero' : nights > STAY_BOUNDS.nightsMax ? 'dates_long' : undefined
}

type Props = {
  dates: Dates
  onDates(dates: Dates): void
  zone: string
  autoFocus: boolean
}

export function DatesField({ dates, onDates, zone, autoFocus }: Props) {
  const { t, weekday } = useI18n()
  const { error, clear } = useFault('dates')
  const [isOpen, setOpen] = useState(false)
  // While typing, the picker may hold half a range; the form gets only complete ranges.
  const [value, setValue] = useState(() => parseRange(dates))
  const nights = nightsBetween(dates.checkIn, dates.checkOut)
  return (
    <DateRangePicker
      className="segment"
      value={value}
      isOpen={isOpen}
      onOpenChange={setOpen}
      onChange={(range) => {
        clear()
        setValue(range === null ? null : { start: toCalendarDate(range.start), end: toCalendarDate(range.end) })
        onDates({ checkIn: range?.start?.toString() ?? '', checkOut: range?.end?.toString() ?? '' })
      }}
      minValue={today(zone)}
      maxValue={today(zone).add({ days: STAY_BOUNDS.leadDaysMax + STAY_BOUNDS.nightsMax })}
      isDateUnavailable={(date, anchor) => anchor !== null && !canEndStay(date, anchor)}
      validationBehavior="aria"
      isInvalid={error !== undefined}
      shouldForceLeadingZeros={false}
      autoFocus={autoFocus}
    >
      <Label className="segment-label">
        <Icon name="calendar" className="size-4" />
        {t('when')}
        {nights > 0 && (
          <span className="font-normal normal-case">
            {` · ${weekday(dates.checkIn)} – ${weekday(dates.checkOut)} · ${t('nights', { n: nights })}`}
          </span>
        )}
      </Label>
      <Group className="flex min-h-11 flex-wrap items-center gap-1">
        <DateNames>
          {/* Without a mouse the button opens it. */}
          <span className="flex flex-wrap items-center gap-1" onClickCapture={() => setOpen(true)}>
            <DateField slot="start" />
            <span aria-hidden="true" className="text-muted">
              –
            </span>
            <DateField slot="end" />
          </span>
        </DateNames>
        <Button
          className="ml-auto -mr-3 grid size-11 place-items-center rounded-sm text-accent hover:bg-accent-wash"
          aria-label={t('open_calendar')}
        >
          <Icon name="calendar" />
        </Button>
      </Group>
      <FieldError className="field-error">{error}</FieldError>
      <CalendarOverlay nights={nights} />
    </DateRangePicker>
  )
}

/** Below the field if there is room for a month; otherwise a scrollable overlay. */
function CalendarOverlay({ nights }: { nights: number }) {
  const { t } = useI18n()
  const isWide = useWide('48rem')
  const isTall = useTall('34rem')
  const calendar = (
    <Dialog className="outline-none" aria-label={t('when')}>
      {({ close }) => <StayCalendar months={isWide ? 2 : 1} nights={nights} onDone={close} />}
    </Dialog>
  )
  if (isTall && isWide)
    return (
      <Popover className="max-w-[calc(100vw-1rem)] overflow-auto rounded-md border border-line bg-surface p-4 shadow-lift">
        {calendar}
      </Popover>
    )
  return (
    <ModalOverlay isDismissable className="fixed inset-0 z-50 flex items-end justify-center bg-[rgb(10_12_24/0.55)]">
      <Modal className="max-h-dvh w-full overflow-auto rounded-t-lg bg-surface p-4 text-ink shadow-lift sm:w-auto">
        {calendar}
      </Modal>
    </ModalOverlay>
  )
}

/** Replaces React Aria's names for the two dates, "Start Date" and "End Date". */
function DateNames({ children }: { children: ReactNode }) {
  const { t } = useI18n()
  const context = use(DateFieldContext)
  const slots = context && 'slots' in context ? context.slots : {}
  const named = {
    start: { ...slots?.start, 'aria-label': t('check_in') },
    end: { ...slots?.end, 'aria-label': t('check_out') },
  }
  return <DateFieldContext value={{ slots: named }}>{children}</DateFieldContext>
}

function DateField({ slot }: { slot: 'start' | 'end' }) {
  return (
    <DateInput slot={slot} className="figures flex text-base whitespace-nowrap">
      {(segment) => (
        <DateSegment
          segment={segment}
          className="rounded-sm px-px outline-none data-focused:bg-accent data-focused:text-accent-ink data-placeholder:text-muted"
        />
      )}
    </DateInput>
  )
}

function StayCalendar({ months, nights, onDone }: { months: number; nights: number; onDone(): void }) {
  const { t } = useI18n()
  const step = 'grid size-11 place-items-center rounded-sm hover:bg-accent-wash disabled:text-muted disabled:opacity-40'
  return (
    <RangeCalendar visibleDuration={{ months }} pageBehavior="single">
      <header className="mb-2 flex items-center justify-between">
        <Button slot="previous" className={step} aria-label={t('previous_month')}>
          <Icon name="left" />
        </Button>
        <Heading className="font-serif text-lg" />
        <Button slot="next" className={step} aria-label={t('next_month')}>
          <Icon name="right" />
        </Button>
      </header>
      <div className="flex items-start justify-center gap-8">
        {[0, 1].slice(0, months).map((month) => (
          <CalendarGrid key={month} offset={{ months: month }} className="border-collapse">
            <CalendarGridHeader>
              {(day) => <CalendarHeaderCell className="pb-1 text-xs font-medium text-muted">{day}</CalendarHeaderCell>}
            </CalendarGridHeader>
            <CalendarGridBody>{(date) => <CalendarCell date={date} className="day-cell figures" />}</CalendarGridBody>
          </CalendarGrid>
        ))}
      </div>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-[44ch] text-xs text-muted">
          {nights > 0 && <strong className="block text-sm text-ink">{t('nights', { n: nights })}</strong>}
          {t('calendar_text')}
        </p>
        <button type="button" className="btn btn-quiet max-sm:w-full" onClick={onDone}>
          {t('done')}
        </button>
      </div>
    </RangeCalendar>
  )
}

/** Limits the stay to 1 to 28 nights; the day chosen first may be either end. */
const canEndStay = (date: DateValue, anchor: CalendarDate): boolean => {
  const nights = Math.abs(nightsBetween(anchor.toString(), date.toString()))
  return nights >= 1 && nights <= STAY_BOUNDS.nightsMax
}

const toCalendarDate = (date: DateValue): CalendarDate => parseDate(date.toString().slice(0, 10))

function parseRange({ checkIn, checkOut }: Dates): { start: CalendarDate; end: CalendarDate } | null {
  try {
    return { start: parseDate(checkIn), end: parseDate(checkOut) }
  } catch {
    return null
  }
}
