import { AppError } from '../domain/errors.ts'

/** As many as the vendors' connections take; nobody else waits for one of those. */
const LIMITS = { running: 32, waitingPerAccount: 64, waiting: 256, waitMs: 10_000 }

/** A place at a vendor, given back at the end of its scope, or when a promise that outlives it settles. */
export type Turn = Disposable & { keepUntil(done: Promise<unknown>): void }

export type BookingLine = { enter(accountId: string, vendorId: string): Promise<Turn> }

/** Begins what has waited. */
type Waiting = () => void
type Vendor = { running: number; readonly own: Map<string, number>; readonly waiting: Map<string, Waiting[]> }

/**
 * Shares the price checks and bookings that may be under way at a vendor: an account may have half of what the others leave,
 * so that a slow vendor and one busy account never keep the rest out. The others wait, each account in turn.
 */
export function createBookingLine(limits = LIMITS): BookingLine {
  const vendors = new Map<string, Vendor>()

  function mayBegin({ running, own }: Vendor, accountId: string): boolean {
    const mine = own.get(accountId) ?? 0
    const left = limits.running - (running - mine)
    return running < limits.running && mine < Math.max(1, Math.floor(left / 2))
  }

  function begin(vendor: Vendor, accountId: string): Turn {
    vendor.running += 1
    vendor.own.set(accountId, (vendor.own.get(accountId) ?? 0) + 1)
    let isKept = false
    const leave = () => {
      vendor.running -= 1
      const left = (vendor.own.get(accountId) ?? 1) - 1
      if (left > 0) vendor.own.set(accountId, left)
      else vendor.own.delete(accountId)
      letIn(vendor)
    }
    return {
      keepUntil(done) {
        isKept = true
        done.then(leave, leave)
      },
      [Symbol.dispose]() {
        if (!isKept) leave()
      },
    }
  }

  function letIn(vendor: Vendor): void {
    for (const [accountId, line] of vendor.waiting) {
      if (!mayBegin(vendor, accountId)) continue
      const next = line.shift()
      // To the end of the round: the next place is another account's.
      vendor.waiting.delete(accountId)
      if (line.length > 0) vendor.waiting.set(accountId, line)
      next?.()
      return
    }
  }

  return {
    async enter(accountId, vendorId) {
      const vendor = vendors.get(vendorId) ?? { running: 0, own: new Map(), waiting: new Map() }
      vendors.set(vendorId, vendor)
      return mayBegin(vendor, accountId)
        ? begin(vendor, accountId)
        : waitForTurn(vendor, accountId, limits, () => begin(vendor, accountId))
    },
  }
}

function waitForTurn({ waiting }: Vendor, accountId: string, limits: typeof LIMITS, begin: () => Turn): Promise<Turn> {
  const line = waiting.get(accountId) ?? []
  const all = [...waiting.values()].reduce((sum, { length }) => sum + length, 0)
  if (line.length >= limits.waitingPerAccount || all >= limits.waiting) throw full()
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      line.splice(line.indexOf(one), 1)
      if (line.length === 0) waiting.delete(accountId)
      reject(full())
    }
    const timer = setTimeout(giveUp, limits.waitMs)
    const one: Waiting = () => {
      clearTimeout(timer)
      resolve(begin())
    }
    line.push(one)
    waiting.set(accountId, line)
  })
}

const full = () =>
  new AppError(
    'overloaded',
    'Too many bookings are under way at this vendor. Nothing was sent to it; try the same again shortly.',
    { retryAfterMs: 2_000 },
  )
