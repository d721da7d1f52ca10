import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import type { PlainDate } from '../../src/lib/plain-date.ts'
import type { Allotment, World } from '../world/contract.ts'

/** One line of a stand-in's ledger: the state of a booking of one room type when the line was written. */
export type LedgerEntry = {
  readonly vendorReference: string
  /** The caller's own reference, as it was sent. */
  readonly ourReference: string
  readonly status: 'confirmed' | 'cancelled'
  /** Epochs in milliseconds. */
  readonly createdAt: number
  /** From when look-ups may show it. */
  readonly visibleFrom: number
  readonly propertyKey: number
  readonly roomNumber: number
  readonly nights: readonly PlainDate[]
  readonly count: number
  readonly total: { readonly minor: number; readonly currency: string }
  readonly email: string
  readonly holder: string
  /** Whatever else the stand-in wants back. */
  readonly raw: unknown
}

export type Ledger = {
  /** On disk before it returns. */
  append(entry: LedgerEntry): void
  /** Every line ever written, oldest first; a cancelled booking has two. */
  all(): readonly LedgerEntry[]
  /** Lines whose own or vendor's reference is this one, oldest first. */
  byReference(reference: string): readonly LedgerEntry[]
  /** The state of each booking now: the last line of each vendor reference and room, in the order they were first made. */
  current(): LedgerEntry[]
  /** The same for the bookings under one reference, without those that look-ups may not show yet. */
  visible(reference: string, now: number): LedgerEntry[]
  /** After a restart: takes the rooms of all confirmed bookings again. */
  replayInto(allotment: Allotment, world: Pick<World, 'property'>): void
}

/** The bookings of one stand-in. It accepts a reference that was booked twice, because tests look for exactly that. */
export function createLedger({ path }: { readonly path?: string } = {}): Ledger {
  const entries: LedgerEntry[] = []
  const byReference = new Map<string, LedgerEntry[]>()
  const remember = (entry: LedgerEntry) => {
    entries.push(entry)
    for (const reference of new Set([entry.vendorReference, entry.ourReference])) {
      const lines = byReference.get(reference)
      if (lines === undefined) byReference.set(reference, [entry])
      else lines.push(entry)
    }
  }
  if (path !== undefined) for (const entry of readLines(path)) remember(entry)

  return {
    append(entry) {
      if (path !== undefined) appendFileSync(path, `${JSON.stringify(entry)}\n`)
      remember(entry)
    },
    all: () => entries,
    byReference: (reference) => byReference.get(reference) ?? [],
    current: () => latest(entries),
    visible: (reference, now) => latest(byReference.get(reference) ?? []).filter((line) => line.visibleFrom <= now),
    replayInto(allotment, world) {
      for (const { status, propertyKey, roomNumber, nights, count } of latest(entries)) {
        const room = roomOf(world, propertyKey, roomNumber)
        if (status === 'confirmed' && room !== undefined) allotment.take(propertyKey, room, nights, count)
      }
    },
  }
}

const roomOf = (world: Pick<World, 'property'>, propertyKey: number, roomNumber: number) =>
  world.property(propertyKey)?.rooms.find(({ number }) => number === roomNumber)

/** Makes `count` rooms of a cancelled booking free again. */
export function releaseRooms(
  { world, allotment }: { readonly world: Pick<World, 'property'>; readonly allotment: Allotment },
  { propertyKey, roomNumber, nights }: LedgerEntry,
  count: number,
): void {
  const room = roomOf(world, propertyKey, roomNumber)
  if (room !== undefined) allotment.giveBack(propertyKey, room, nights, count)
}

function latest(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const last = new Map<string, LedgerEntry>()
  for (const entry of entries) last.set(`${entry.vendorReference} ${entry.roomNumber}`, entry)
  return [...last.values()]
}

/** A process killed in the middle of a line leaves half of it: that booking was never answered, so it is cut off. */
function readLines(path: string): LedgerEntry[] {
  mkdirSync(dirname(path), { recursive: true })
  if (!existsSync(path)) return []
  const text = readFileSync(path, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole))
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LedgerEntry)
}
