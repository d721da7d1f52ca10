import { Worker } from 'node:worker_threads'
import { UnpackError } from './read-answer.ts'
import type { ListShape } from './read-in-pieces.ts'
import type { VendorFault } from './vendor-error.ts'

export type ReadJob = {
  readonly id: number
  readonly raw: Uint8Array
  readonly encoding: string | undefined
  readonly list: ListShape | undefined
  /** Where the adapter's `read` is to be found; a function cannot be sent to a thread. */
  readonly module: string
  readonly frame: unknown
}

/** What came of reading: the answer, the vendor's fault, or ours. */
export type Outcome =
  | { readonly answer: unknown }
  | { readonly failure: { readonly fault: VendorFault; readonly detail: string } }
  | { readonly bug: unknown }
export type Said = { readonly body: unknown; readonly text: string | undefined } & Outcome
export type ReadResult = { readonly id: number } & (Said | { readonly unpackable: false } | { readonly bug: unknown })

export type ReadApart = ReturnType<typeof createReadApart>

type Waiting = { resolve(said: Said): void; reject(error: unknown): void }

/** One is read, one is there when that is done. The others wait here, where those that nobody waits for any more can be left out. */
const SENT_MAX = 2
/** Garbage that never grows old is the cheapest, and a few items at a time need no more. */
const YOUNG_MAX_MB = 24

/**
 * A thread on which one vendor's long answers are read: parsing megabytes holds up nobody else there, and neither does the
 * garbage it leaves. It is started when it may soon be needed, and once more should it ever end.
 */
export function createReadApart() {
  const waiting = new Map<number, Waiting>()
  let line: ReadJob[] = []
  let sent = 0
  let thread: Worker | undefined
  let isReady = false
  let count = 0

  function start(module: string): Worker {
    const worker = new Worker(new URL('./reading-thread.ts', import.meta.url), {
      // Profilers and the benchmark know it by this.
      name: 'reading',
      workerData: module,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MAX_MB },
    })
    worker.unref()
    worker.on('message', (result: ReadResult | 'ready') => {
      if (result === 'ready') isReady = true
      else settle(result)
    })
    const onEnd = (cause: unknown) => {
      if (thread === worker) forget(cause)
    }
    worker.on('error', onEnd)
    worker.on('exit', onEnd)
    return worker
  }

  /** The thread is no more, and whoever waits for it is told. */
  function forget(cause: unknown): void {
    thread = undefined
    isReady = false
    for (const { reject } of waiting.values()) reject(new UnpackError('a body that cannot be read', { cause }))
    waiting.clear()
    line = []
    sent = 0
  }

  function sendNext(): void {
    while (sent < SENT_MAX) {
      const job = line.shift()
      if (job === undefined) return
      if (!waiting.has(job.id)) continue
      sent += 1
      thread?.postMessage(job, [job.raw.buffer as ArrayBuffer])
    }
  }

  function settle(result: ReadResult): void {
    sent -= 1
    sendNext()
    const one = waiting.get(result.id)
    waiting.delete(result.id)
    if ('unpackable' in result) one?.reject(new UnpackError('a body that cannot be unpacked'))
    else one?.resolve('body' in result ? result : { ...result, body: undefined, text: undefined })
  }

  return {
    /** To be called before there is something to read with it: starting takes about as long as a quick vendor. */
    warm(module: string): void {
      thread ??= start(module)
    },
    isReady: (): boolean => isReady,
    /** The bytes are gone afterwards. Rejects when the thread ends, or as soon as nobody waits any more. */
    async read(job: Omit<ReadJob, 'id'>, signal: AbortSignal): Promise<Said> {
      signal.throwIfAborted()
      thread ??= start(job.module)
      count += 1
      const id = count
      const { promise, resolve, reject } = Promise.withResolvers<Said>()
      waiting.set(id, { resolve, reject })
      const onAbort = () => reject(signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      line.push({ ...job, id })
      sendNext()
      try {
        return await promise
      } finally {
        waiting.delete(id)
        signal.removeEventListener('abort', onAbort)
      }
    },
    async close(): Promise<void> {
      const worker = thread
      forget('closing')
      await worker?.terminate()
    },
  }
}
