import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second on all platforms of Node. */
const TICK_MS = 10

/** Processor time of a process with all its threads; NaN if the system does not report it. */
export function processCpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program name is in brackets and may contain anything; only numbers follow the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return Number.NaN
  }
}

/**
 * Processor time in milliseconds of this process's main thread and of the threads that read vendors' answers; NaN if
 * the system does not distinguish threads.
 */
export function serviceCpuMs(): number {
  try {
    const threads = readdirSync('/proc/self/task').filter(
      (thread) => Number(thread) === process.pid || read(`/proc/self/task/${thread}/comm`).trim() === 'reading',
    )
    const nanoseconds = threads.map((thread) => Number(read(`/proc/self/task/${thread}/schedstat`).split(' ')[0]))
    return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e6
  } catch {
    return Number.NaN
  }
}

const read = (path: string) => readFileSync(path, 'utf8')

export function residentMb(pid: number): number {
  try {
    const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Math.round(Number(line?.[1]) / 1024)
  } catch {
    return Number.NaN
  }
}

/** Pins a process with its current threads to one of the available cores. Returns true on success. */
export function pin(pid: number, slot: 0 | 1): boolean {
  const core = cores()[slot]
  if (core === undefined || cores().length < 2) return false
  return spawnSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' }).status === 0
}

/** "0-1,4" → 0, 1, 4: a container may not have the first cores of its machine. */
function cores(): number[] {
  try {
    const list = /Cpus_allowed_list:\s+(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
    return list.split(',').flatMap((part) => {
      const [from = 0, to = from] = part.split('-').map(Number)
      return Array.from({ length: to - from + 1 }, (_, index) => from + index)
    })
  } catch {
    return []
  }
}
