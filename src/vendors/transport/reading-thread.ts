import { Worker } from 'node:worker_threads'
import type { VendorFault } from '../vendor-error.ts'
import { type readAnswer, UnpackError } from './read-answer.ts'

export type ReadJob = {
  readonly id: number
  readonly raw: Uint8Array<ArrayBuffer>
  readonly encoding: string | undefined
  /** The address of the module that exports the adapter's `read`; a function cannot be sent to a thread. */
  readonly module: string
  readonly frame: unknown
  /** Low priority: read only when no other answer is in the queue. */
  readonly canWait: boolean
}

export type Outcome =
  | { readonly answer: unknown }
  /** A failure of the vendor. What was said comes back with it, because the adapter may find the reason there. */
  | { readonly fault: VendorFault; readonly detail: string; readonly said: ReturnType<typeof readAnswer> }
  | { readonly unreadable: string }
  | { readonly bug: unknown }

type Waiting = { resolve(outcome: Outcome): void; reject(error: unknown): void }

/**
 * One job is being read and one more has been sent. The others stay in the queue here, where abandoned ones can still be dropped.
 * A job that can wait is sent only when the thread is idle, so that at most one of them is ahead of an urgent job.
 */
const SENT_MAX = 2
/** What an answer leaves behind is collected at once; a small young generation keeps the thread's memory small. */
const YOUNG_MAX_MB = 24

/**
 * A thread that unpacks, parses and decodes one vendor's long answers, so that megabytes of JSON hold up nobody else.
 * It is started when it may soon be needed, and again should it ever end.
 */
export class ReadingThread {
  readonly #waiting = new Map<number, Waiting>()
  #queue: ReadJob[] = []
  #sent = 0
  #count = 0
  #worker: Worker | undefined
  #isReady = false

  /** Starts the thread. That takes about as long as a quick vendor, so it is done before there is anything to read. */
  warm(module: string): void {
    this.#worker ??= this.#start(module)
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** The bytes are transferred to the thread. Rejects when the thread ends, or as soon as `signal` says so. */
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
    const worker = this.#worker
    this.#reset('closing')
    await worker?.terminate()
  }

  #start(module: string): Worker {
    const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), {
      // The benchmark finds the thread by this name.
      name: 'reading',
      workerData: module,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MAX_MB },
    })
    worker.unref()
    worker.on('message', (message: { id: number; outcome: Outcome } | 'ready') => {
      if (message === 'ready') this.#isReady = true
      else this.#settle(message.id, message.outcome)
    })
    const onEnd = (cause: unknown) => {
      if (this.#worker === worker) this.#reset(cause)
    }
    worker.on('error', onEnd)
    worker.on('exit', onEnd)
    return worker
  }

  /** The thread has ended: every caller that waits is told. */
  #reset(cause: unknown): void {
    this.#worker = undefined
    this.#isReady = false
    for (const { reject } of this.#waiting.values()) reject(new UnpackError('a body that cannot be read', { cause }))
    this.#waiting.clear()
    this.#queue = []
    this.#sent = 0
  }

  #sendNext(): void {
    this.#queue = this.#queue.filter(({ id }) => this.#waiting.has(id))
    while (this.#sent < SENT_MAX) {
      const job = this.#queue.find(({ canWait }) => !canWait) ?? (this.#sent === 0 ? this.#queue[0] : undefined)
      if (job === undefined) return
      this.#queue.splice(this.#queue.indexOf(job), 1)
      this.#sent += 1
      this.#worker?.postMessage(job, [job.raw.buffer])
    }
  }

  #settle(id: number, outcome: Outcome): void {
    this.#sent -= 1
    this.#sendNext()
    const caller = this.#waiting.get(id)
    this.#waiting.delete(id)
    if ('unreadable' in outcome) caller?.reject(new UnpackError(outcome.unreadable))
    else caller?.resolve(outcome)
  }
}
