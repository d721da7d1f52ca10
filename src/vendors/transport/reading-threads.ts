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

export type Outcome = { readonly answer: unknown } | Failure
type Failure =
  /** A failure of the vendor. What was said comes back with it, because the adapter may find the reason there. */
  | { readonly fault: VendorFault; readonly detail: string; readonly said: ReturnType<typeof readAnswer> }
  | { readonly unreadable: string }
  | { readonly bug: unknown }

/** What a thread is sent: an answer to read, or the module of one that may come soon. */
export type ToThread = ReadJob | { readonly load: string }
/** An answer is sent as JSON: that takes two thirds of the processor time of sending the objects themselves. */
export type Sent = { readonly answerJson: string } | Failure
export type FromThread = { readonly id: number; readonly outcome: Sent } | 'loaded'

type Waiting = { resolve(outcome: Outcome): void; reject(error: unknown): void }

type Thread = {
  readonly worker: Worker
  /** It has loaded a module, and so most of what the others need. */
  isReady: boolean
  /** Ids of the jobs that it was sent and has not answered. */
  readonly sent: Set<number>
}

/** They share the answers of all vendors, so that none is idle while another has a queue. More of them only take more memory. */
const THREADS = 2
/**
 * One job is being read and one more has been sent. The others stay in the queue here, where abandoned ones can still be dropped.
 * A job that can wait is sent only to an idle thread, so that at most one of them is ahead of an urgent job.
 */
const SENT_MAX = 2
/** What an answer leaves behind is collected at once; a small young generation keeps the thread's memory small. */
const YOUNG_MAX_MB = 24

/**
 * Threads that unpack, parse and decode vendors' long answers, so that megabytes of JSON hold up nobody else.
 * They are started when they may soon be needed, and again should one ever end.
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

  /** Loads the module in every thread. That takes about as long as a quick vendor, so it is done before there is anything to read. */
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

  /** The bytes are transferred to a thread. Rejects when that thread ends, or as soon as `signal` says so. */
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

  /** What a thread was reading when it ended is lost; what is in the queue is read by the others. */
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

  /** The one with the least to do. */
  #threadFor({ canWait }: ReadJob): Thread | undefined {
    const able = [...this.#threads].filter(({ isReady, sent }) => isReady && sent.size < (canWait ? 1 : SENT_MAX))
    return able.sort((a, b) => a.sent.size - b.sent.size)[0]
  }

  #settle({ sent }: Thread, { id, outcome }: Exclude<FromThread, 'loaded'>): void {
    sent.delete(id)
    const caller = this.#waiting.get(id)
    this.#waiting.delete(id)
    if ('unreadable' in outcome) caller?.reject(new UnpackError(outcome.unreadable))
    else if ('answerJson' in outcome) caller?.resolve({ answer: JSON.parse(outcome.answerJson) })
    else caller?.resolve(outcome)
  }
}
