import { Worker } from 'node:worker_threads'
import type { Voucher } from './voucher.ts'

export type VoucherToPrint = { readonly id: number; readonly voucher: Voucher }
export type PrintedVoucher = { readonly id: number } & ({ readonly pdf: Uint8Array } | { readonly error: unknown })

const waiting = new Map<number, PromiseWithResolvers<Buffer>>()
let thread: Worker | undefined
let lastId = 0

/** Prints in a thread, because it takes 50 to 300 ms of processor time. */
export function printVoucher(voucher: Voucher): Promise<Buffer> {
  thread ??= startThread()
  // The thread keeps the process alive only while it prints.
  thread.ref()
  lastId += 1
  const printed = Promise.withResolvers<Buffer>()
  waiting.set(lastId, printed)
  thread.postMessage({ id: lastId, voucher } satisfies VoucherToPrint)
  return printed.promise
}

/** Started on demand, because most processes never print a voucher. */
function startThread(): Worker {
  const worker = new Worker(new URL('./voucher-thread.ts', import.meta.url), { name: 'vouchers' })
  worker.on('message', (printed: PrintedVoucher) => {
    const caller = waiting.get(printed.id)
    waiting.delete(printed.id)
    if (waiting.size === 0) worker.unref()
    if ('error' in printed) caller?.reject(printed.error)
    else caller?.resolve(Buffer.from(printed.pdf.buffer))
  })
  // When the thread ends, rejects the waiting callers; the next voucher starts a new thread.
  const onEnd = (cause: unknown) => {
    if (thread !== worker) return
    thread = undefined
    for (const { reject } of waiting.values()) reject(new Error('the voucher thread ended', { cause }))
    waiting.clear()
  }
  worker.on('error', onEnd)
  worker.on('exit', onEnd)
  return worker
}
