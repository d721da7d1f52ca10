import { Worker } from 'node:worker_threads'
import type { PrintedDocument } from './printed-document.ts'

export type DocumentToPrint = { readonly id: number; readonly document: PrintedDocument }
export type PrintedPdf = { readonly id: number } & ({ readonly pdf: Uint8Array } | { readonly error: unknown })

const waiting = new Map<number, PromiseWithResolvers<Buffer>>()
let thread: Worker | undefined
let lastId = 0

/** Prints in a thread, because it takes 50 to 300 ms of processor time. */
export function printDocument(document: PrintedDocument): Promise<Buffer> {
  thread ??= startThread()
  // The thread keeps the process alive only while it prints.
  thread.ref()
  lastId += 1
  const printed = Promise.withResolvers<Buffer>()
  waiting.set(lastId, printed)
  thread.postMessage({ id: lastId, document } satisfies DocumentToPrint)
  return printed.promise
}

/** Started on demand, because most processes never print a document. */
function startThread(): Worker {
  const worker = new Worker(new URL('./print-thread.ts', import.meta.url), { name: 'documents' })
  worker.on('message', (printed: PrintedPdf) => {
    const caller = waiting.get(printed.id)
    waiting.delete(printed.id)
    if (waiting.size === 0) worker.unref()
    if ('error' in printed) caller?.reject(printed.error)
    else caller?.resolve(Buffer.from(printed.pdf.buffer))
  })
  // When the thread ends, rejects the waiting callers; the next document starts a new thread.
  const onEnd = (cause: unknown) => {
    if (thread !== worker) return
    thread = undefined
    for (const { reject } of waiting.values()) reject(new Error('the printing thread ended', { cause }))
    waiting.clear()
  }
  worker.on('error', onEnd)
  worker.on('exit', onEnd)
  return worker
}
