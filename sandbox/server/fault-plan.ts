import { createRandom } from '../world/hash.ts'
import type { Fault, FaultKind } from './faults.ts'

/** Decides which faults hit the next calls. Shares are drawn from one seed, so that a run can be repeated. */
export type FaultPlan = {
  add(fault: Fault): void
  clear(): void
  list(): readonly Fault[]
  /** Faults that hit this call; each use is counted. */
  next(operation: string): Fault[]
}

export function createFaultPlan(seed: number): FaultPlan {
  const random = createRandom(seed)
  let planned: { readonly fault: Fault; left: number; after: number }[] = []

  return {
    add: (fault) =>
      void planned.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY, after: fault.after ?? 0 }),
    clear: () => {
      planned = []
    },
    list: () => planned.map(({ fault, left }) => (Number.isFinite(left) ? { ...fault, times: left } : fault)),
    next(operation) {
      const due: Fault[] = []
      for (const entry of planned) {
        if (entry.fault.operation !== '*' && entry.fault.operation !== operation) continue
        if (entry.fault.share !== undefined && !random.chance(entry.fault.share)) continue
        if (entry.after > 0) {
          entry.after -= 1
          continue
        }
        entry.left -= 1
        due.push(entry.fault)
      }
      planned = planned.filter(({ left }) => left > 0)
      return due
    },
  }
}

export const findFault = (faults: readonly Fault[], kind: FaultKind): Fault | undefined =>
  faults.find((fault) => fault.kind === kind)

export const hasFault = (faults: readonly Fault[], kind: FaultKind): boolean => findFault(faults, kind) !== undefined
