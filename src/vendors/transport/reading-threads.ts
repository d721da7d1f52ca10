import { Worker } from 'node:worker_threads'
import type { VendorFault } from '../vendor-error.ts'
import { type parseBody, UnpackError } from './parse-body.ts'

export type ReadJob = {
  readonly id: number
  readonly raw: Uint8Array<ArrayBuffer>
  readonly encoding: string | undefined
  /** URL of the module that exports the adapter's `read`; functions cannot be sent to a thread. */
  readonly module: string
  readonly frame: unknown
  /** Low priority: read only when no other answer is in the queue. */
  readonly canWait: boolean
  /** Also describes the shape of the body. */
  readonly wantsShape?: boolean
}

export type Outcome = { readonly answer: unknown; readonly shape: readonly string[] | undefined } | Failure
type Failure =
  /** `parsed` comes with the fault, because the adapter may find the reason there. */
  | { readonly fault: VendorFault; readonly detail: string; readonly parsed: ReturnType<typeof parseBody> }
  | { readonly unreadable: string }
  | { readonly bug: unknown }

/** A response to decode, or a module to load in advance. */
export type ToThread = ReadJob | { readonly load: string }
/** Results are sent as JSON: cloning the objects takes 50 % more processor time. */
export type WorkerOutcome = { readonly answerJson: string; readonly shape: readonly string[] | undefined } | Failure
export type FromThread = { readonly id: number; readonly outcome: WorkerOutcome } | 'loaded'

type Waiting = { resolve(outcome: Outcome): void; reject(error: unknown): void }

type Thread = {
  readonly worker: Worker
  /** Set after the first module is loaded, which includes most of what the others need. */
  isReady: boolean
  /** Ids of jobs sent to this thread and not yet answered. */
  readonly sent: Set<number>
}

/** Shared by all vendors, so that no thread is idle while another has a queue. More threads only take more memory. */
const THREADS = 2
/**
 * One running job and one prefetched; the rest stay in the queue, where abandoned jobs can be dropped. A low-priority
 * job is sent only to an idle thread, so that at most one is ahead of an urgent job.
 */
const SENT_MAX = 2
/** Half of it costs a quarter more processor time, because one response does not fit; twice as much saves nothing. */
const YOUNG_MAX_MB = 48

/**
 * Threads that unpack, parse and decode long responses, so that megabytes of JSON do not block the event loop. They are
 * started on demand and restarted if they end.
 */
export class ReadingThreads {
  readonly #threads = new Set<Thread>()
  readonly #modules = new Set<string>()
  readonly #waiting = new Map<number, Waiting>()
  #queue: ReadJob[] = []
  #count = 0
  readonly #size: number

  constructor(size = THREADS) {
    this.#size = size
  }

  /** Loads the module in every thread. This takes about as long as a fast vendor response, so do it early. */
  warm(module: string): void {
    if (!this.#modules.has(module)) {
      this.#modules.add(module)
      for (const { worker } of this.#threads) worker.postMessage({ load: module } satisfies ToThread)
    }
    while (this.#threads.size < this.#size) this.#threads.add(this.#start())
  }

  get isReady(): boolean {
    return [...this.#threads].some(({ isReady }) => isReady)
  }

  /** Transfers the bytes to a thread. Rejects if that thread ends or `signal` aborts. */
  async read(job: Omit<ReadJob, 'id'>, signal: AbortSignal): Promise<Outcome> {
    signal.throwIfAborted()
    this.warm(job.module)
    this.#count += 1
    const id = this.#count
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    this.#waiting.set(id, { resolve, reject })
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#queue.push({ ...job, id })
    this.#sendNext()
    try {
      return await promise
    } finally {
      this.#waiting.delete(id)
      signal.removeEventListener('abort', onAbort)
    }
  }

  async close(): Promise<void> {
    const workers = [...this.#threads].map(({ worker }) => worker)
    this.#threads.clear()
    this.#modules.clear()
    this.#queue = []
    for (const id of this.#waiting.keys()) this.#giveUp(id, 'closing')
    await Promise.all(workers.map((worker) => worker.terminate()))
  }

  #start(): Thread {
    const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), {
      // The benchmark finds the threads by this name.
      name: 'reading',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MAX_MB },
    })
    const thread: Thread = { worker, isReady: false, sent: new Set() }
    worker.unref()
    worker.on('message', (message: FromThread) => {
      if (message === 'loaded') thread.isReady = true
      else this.#settle(thread, message)
      this.#sendNext()
    })
    const onEnd = (cause: unknown) => {
      if (this.#threads.delete(thread)) this.#replace(thread, cause)
    }
    worker.on('error', onEnd)
    worker.on('exit', onEnd)
    for (const module of this.#modules) worker.postMessage({ load: module } satisfies ToThread)
    return thread
  }

  /** Rejects the jobs sent to a thread that ended. Other threads take the queue. */
  #replace({ sent }: Thread, cause: unknown): void {
    for (const id of sent) this.#giveUp(id, cause)
    if (this.#queue.length > 0) this.#threads.add(this.#start())
  }

  #giveUp(id: number, cause: unknown): void {
    this.#waiting.get(id)?.reject(new UnpackError('a body that cannot be read', { cause }))
    this.#waiting.delete(id)
  }

  #sendNext(): void {
    this.#queue = this.#queue.filter(({ id }) => this.#waiting.has(id))
    const inOrder = [...this.#queue.filter(({ canWait }) => !canWait), ...this.#queue.filter(({ canWait }) => canWait)]
    for (const job of inOrder) {
      const thread = this.#threadFor(job)
      if (thread === undefined) continue
      this.#queue.splice(this.#queue.indexOf(job), 1)
      thread.sent.add(job.id)
      thread.worker.postMessage(job, [job.raw.buffer])
    }
  }

  /** Least busy thread. */
  #threadFor({ canWait }: ReadJob): Thread | undefined {
    const available = [...this.#threads].filter(({ isReady, sent }) => isReady && sent.size < (canWait ? 1 : SENT_MAX))
    return available.sort((a, b) => a.sent.size - b.sent.size)[0]
  }

  #settle({ sent }: Thread, { id, outcome }: Exclude<FromThread, 'loaded'>): void {
    sent.delete(id)
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if ('unreadable' in outcome) waiting?.reject(new UnpackError(outcome.unreadable))
    else if ('answerJson' in outcome) waiting?.resolve({ answer: JSON.parse(outcome.answerJson), shape: outcome.shape })
    else waiting?.resolve(outcome)
  }
}
