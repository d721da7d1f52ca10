import { appendFileSync, closeSync, mkdirSync, openSync, readSync, statSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import type { PlainDate } from '../../src/lib/time/plain-date.ts'
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
  // Stand-ins of a command, such as `serai mcp`, may write to the same file while those of the service run.
  const file = path === undefined ? undefined : openLines(path)
  const known = () => {
    for (const line of file?.more() ?? []) remember(JSON.parse(line) as LedgerEntry)
    return entries
  }
  const linesOf = (reference: string) => {
    known()
    return byReference.get(reference) ?? []
  }

  return {
    append(entry) {
      if (path === undefined) return remember(entry)
      appendFileSync(path, `${JSON.stringify(entry)}\n`)
      known()
    },
    all: known,
    byReference: linesOf,
    current: () => latest(known()),
    visible: (reference, now) => latest(linesOf(reference)).filter((line) => line.visibleFrom <= now),
    replayInto(allotment, world) {
      for (const { status, propertyKey, roomNumber, nights, count } of latest(known())) {
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
function openLines(path: string) {
  mkdirSync(dirname(path), { recursive: true })
  let end = 0
  /** The complete lines that have been written since the last call. */
  const more = (): string[] => {
    const size = sizeOf(path)
    if (size <= end) return []
    const bytes = readFrom(path, end, size - end)
    const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)
    end += whole.length
    return whole
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
  }
  const lines = more()
  if (sizeOf(path) > end) truncateSync(path, end)
  return { more: () => [...lines.splice(0), ...more()] }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

function readFrom(path: string, position: number, length: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, position))
  } finally {
    closeSync(file)
  }
}
