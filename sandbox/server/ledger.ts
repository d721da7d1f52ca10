import { appendFileSync, closeSync, mkdirSync, openSync, readSync, statSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import type { PlainDate } from '../../src/lib/time/plain-date.ts'
import type { Allotment, World } from '../world/contract.ts'

/** One ledger line: the state of a booking of one room type at the time of writing. */
export type LedgerEntry = {
  readonly vendorReference: string
  /** The caller's reference, as sent. */
  readonly ourReference: string
  readonly status: 'confirmed' | 'cancelled'
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Time from which lookups may show the booking. */
  readonly visibleFrom: number
  readonly propertyKey: number
  readonly roomNumber: number
  readonly nights: readonly PlainDate[]
  readonly count: number
  readonly total: { readonly minor: number; readonly currency: string }
  readonly email: string
  readonly holder: string
  /** Further data of the stand-in. */
  readonly raw: unknown
}

export type Ledger = {
  /** The entry is on disk when this returns. */
  append(entry: LedgerEntry): void
  /** Every line ever written, oldest first; a cancelled booking has two. */
  all(): readonly LedgerEntry[]
  /** Lines with this reference of ours or of the vendor, oldest first. */
  byReference(reference: string): readonly LedgerEntry[]
  /** Current state of each booking: the last line of each vendor reference and room, in order of creation. */
  current(): LedgerEntry[]
  /** Current state of the bookings with one reference, without those that lookups may not show yet. */
  visible(reference: string, now: number): LedgerEntry[]
  /** Takes the rooms of all confirmed bookings again after a restart. */
  replayInto(allotment: Allotment, world: Pick<World, 'property'>): void
}

/** The bookings of one stand-in. It accepts duplicate references because tests look for duplicates. */
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
  // Stand-ins of a command such as `serai mcp` may write to the same file while the service runs.
  const file = path === undefined ? undefined : openLines(path)
  const readEntries = () => {
    for (const line of file?.readNewLines() ?? []) remember(JSON.parse(line) as LedgerEntry)
    return entries
  }
  const findLines = (reference: string) => {
    readEntries()
    return byReference.get(reference) ?? []
  }

  return {
    append(entry) {
      if (path === undefined) return remember(entry)
      appendFileSync(path, `${JSON.stringify(entry)}\n`)
      readEntries()
    },
    all: readEntries,
    byReference: findLines,
    current: () => latest(readEntries()),
    visible: (reference, now) => latest(findLines(reference)).filter((line) => line.visibleFrom <= now),
    replayInto(allotment, world) {
      for (const { status, propertyKey, roomNumber, nights, count } of latest(readEntries())) {
        const room = findRoom(world, propertyKey, roomNumber)
        if (status === 'confirmed' && room !== undefined) allotment.take(propertyKey, room, nights, count)
      }
    },
  }
}

const findRoom = (world: Pick<World, 'property'>, propertyKey: number, roomNumber: number) =>
  world.property(propertyKey)?.rooms.find(({ number }) => number === roomNumber)

/** Makes `count` rooms of a cancelled booking available again. */
export function releaseRooms(
  { world, allotment }: { readonly world: Pick<World, 'property'>; readonly allotment: Allotment },
  { propertyKey, roomNumber, nights }: LedgerEntry,
  count: number,
): void {
  const room = findRoom(world, propertyKey, roomNumber)
  if (room !== undefined) allotment.giveBack(propertyKey, room, nights, count)
}

function latest(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const last = new Map<string, LedgerEntry>()
  for (const entry of entries) last.set(`${entry.vendorReference} ${entry.roomNumber}`, entry)
  return [...last.values()]
}

/**
 * Opens a file of lines. A process killed mid-line leaves half a line; it is cut off, because that booking was never
 * answered.
 */
export function openLines(path: string) {
  mkdirSync(dirname(path), { recursive: true })
  let end = 0
  /** Complete lines written since the last call. */
  const readNewLines = (): string[] => {
    const size = fileSize(path)
    if (size <= end) return []
    const bytes = readFrom(path, end, size - end)
    const complete = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)
    end += complete.length
    return complete
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
  }
  const lines = readNewLines()
  if (fileSize(path) > end) truncateSync(path, end)
  return { readNewLines: () => [...lines.splice(0), ...readNewLines()] }
}

const fileSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

function readFrom(path: string, position: number, length: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, position))
  } finally {
    closeSync(file)
  }
}
