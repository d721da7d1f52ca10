import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { join } from 'node:path'

export type CrowdOrder = {
  readonly url: string
  /** One crowd of `perSecond` requests each. */
  readonly tokens: readonly string[]
  readonly perSecond: number
  readonly seconds: number
  readonly kind: 'simulated' | 'simulated_searches' | 'real'
  readonly name: string
  /** For real searches. */
  readonly destinationId?: string
  /** Whom they are to ask; all, where nothing is said. */
  readonly vendors?: readonly string[]
}

export type CrowdReport = {
  readonly sent: number
  readonly byStatus: Readonly<Record<string, number>>
  readonly failures: readonly string[]
  readonly times: readonly number[]
}

export type Crowd = { send(order: CrowdOrder): Promise<CrowdReport>; close(): void }

/**
 * A crowd that does not disturb what it measures: in a process of its own, which steps back for the server. Started before anything is measured, so that its own start is not part of it.
 */
export function openCrowd(rank: 'measured' | 'flood'): Crowd {
  const child = fork(join(import.meta.dirname, 'load-process.ts'), { execArgv: [] })
  if (child.pid !== undefined) stepBack(child.pid, rank)
  return {
    async send(order) {
      child.send(order)
      const [report] = (await once(child, 'message')) as [CrowdReport]
      return report
    },
    close: () => child.disconnect(),
  }
}

/** The server first, whose answers are measured next, the flood last; and all of them before others, where that is allowed. */
export const SERVER_FIRST = ['nice', '-n', '-10'] as const
const NICE = { measured: { before: -5, back: 5 }, flood: { before: 0, back: 19 } } as const

function stepBack(pid: number, rank: keyof typeof NICE): void {
  try {
    setPriority(pid, NICE[rank].before)
  } catch {
    setPriority(pid, NICE[rank].back)
  }
}
