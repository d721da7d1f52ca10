import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second wherever Node runs. */
const TICK_MS = 10

/** Processor time of a whole process so far, all of its threads; not a number where the system does not say. */
export function processCpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program stands in brackets and may hold anything; what follows the last bracket are numbers.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return Number.NaN
  }
}

/**
 * Processor time of this process's own code: of the main thread and of those that read vendors' answers, in milliseconds. Not a
 * number where the system does not distinguish threads.
 */
export function serviceCpuMs(): number {
  try {
    const threads = readdirSync('/proc/self/task').filter(
      (thread) => Number(thread) === process.pid || read(`/proc/self/task/${thread}/comm`).trim() === 'reading',
    )
    const nanoseconds = threads.map((thread) => Number(read(`/proc/self/task/${thread}/schedstat`).split(' ')[0]))
    return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6
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

/** Keeps a process, with the threads it has, to one of the cores we may use; answers whether that was possible. */
export function pin(pid: number, place: 0 | 1): boolean {
  const core = cores()[place]
  if (core === undefined || cores().length < 2) return false
  return spawnSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' }).status === 0
}

/** "0-1,4" → 0, 1, 4: a container may not be given the first cores of its machine. */
function cores(): number[] {
  try {
    const list = /Cpus_allowed_list:\s+(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
    return list.split(',').flatMap((part) => {
      const [from = 0, to = from] = part.split('-').map(Number)
      return Array.from({ length: to - from + 1 }, (_, at) => from + at)
    })
  } catch {
    return []
  }
}
