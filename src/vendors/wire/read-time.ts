import { LRUCache } from 'lru-cache'
import { isPlainDate, type PlainDate } from '../../lib/time/plain-date.ts'
import { toInstant, toWholeSeconds, zonedIso } from '../../lib/time/zoned-time.ts'
import { asText } from './read.ts'

export type Instant = { readonly ms: number; readonly iso: string }

const ISO = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/

/** Properties of one town share their deadlines, so a response repeats a few of them hundreds of times. */
const cache = new LRUCache<string, Instant | 'unreadable'>({ max: 2_000 })

/** Without an offset, the time is in `zone`; undefined if there is neither. */
export function readInstant(value: unknown, zone: string | undefined): Instant | undefined {
  const text = asText(value)
  if (text === '' || text.length > 40) return undefined
  const key = `${text} ${zone ?? ''}`
  let instant = cache.get(key)
  if (instant === undefined) {
    instant = parseInstant(text, zone) ?? 'unreadable'
    cache.set(key, instant)
  }
  return instant === 'unreadable' ? undefined : instant
}

function parseInstant(text: string, zone: string | undefined): Instant | undefined {
  const [, date = '', time = '', offset] = ISO.exec(text) ?? []
  if (!isPlainDate(date)) return undefined
  if (offset === undefined && zone === undefined) return undefined
  const ms = offset === undefined ? toInstant(date, time, zone ?? '') : Date.parse(text)
  if (Number.isNaN(ms)) return undefined
  return { ms, iso: offset === undefined ? zonedIso(ms, zone ?? '') : toWholeSeconds(text) }
}

/** Accepts a date, or a date and time. */
export function readPlainDate(value: unknown): PlainDate | undefined {
  const day = asText(value).slice(0, 10)
  return isPlainDate(day) ? day : undefined
}

/** "3:00 PM" → "15:00"; empty if it is not a time of day. */
export function readClockTime(value: unknown): string {
  const text = asText(value).trim().toLowerCase()
  if (text === 'noon') return '12:00'
  if (text === 'midnight') return '00:00'
  const parts = /^(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*(am|pm)?$/.exec(text)
  if (parts === null || (parts[2] === undefined && parts[3] === undefined)) return ''
  const hour = Number(parts[1])
  const minute = Number(parts[2] ?? 0)
  if (minute > 59 || hour > 23 || (parts[3] !== undefined && (hour < 1 || hour > 12))) return ''
  const hour24 = parts[3] === undefined ? hour : (hour % 12) + (parts[3] === 'pm' ? 12 : 0)
  return `${String(hour24).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}
