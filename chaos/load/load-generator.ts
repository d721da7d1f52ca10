import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { LoadReport } from './steady-load.ts'

export type LoadOrder = {
  readonly url: string
  /** Each token sends `perSecond` requests. */
  readonly tokens: readonly string[]
  readonly perSecond: number
  readonly seconds: number
  readonly kind: 'simulated' | 'simulated_searches' | 'real'
  readonly name: string
  /** For real searches. */
  readonly destinationId?: string
  /** Vendors to search; all by default. */
  readonly vendors?: readonly string[]
}

/** The part of a report that can be sent between processes. */
export type GeneratorReport = Omit<LoadReport, 'percentile'>

export type LoadGenerator = { send(order: LoadOrder): Promise<GeneratorReport>; close(): void }

/**
 * Sends load from a separate process with lower priority, so that it hardly disturbs the server. Start it before
 * measuring.
 */
export function openLoadGenerator(rank: 'measured' | 'flood'): LoadGenerator {
  const child = fork(join(import.meta.dirname, 'load-generator-process.ts'), { execArgv: [] })
  if (child.pid !== undefined) lowerPriority(child.pid, rank)
  return {
    async send(order) {
      child.send(order)
      const [report] = (await once(child, 'message')) as [GeneratorReport]
      return report
    },
    close: () => child.disconnect(),
  }
}

/** Priorities: the server first, then the measured clients, then the flood; all before other processes if permitted. */
export const SERVER_FIRST = ['nice', '-n', '-10'] as const
const NICE = { measured: { permitted: -5, otherwise: 5 }, flood: { permitted: 0, otherwise: 19 } } as const

function lowerPriority(pid: number, rank: keyof typeof NICE): void {
  try {
    setPriority(pid, NICE[rank].permitted)
  } catch {
    setPriority(pid, NICE[rank].otherwise)
  }
}
