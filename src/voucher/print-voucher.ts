import { Worker } from 'node:worker_threads'
import type { Voucher } from './voucher.ts'

export type VoucherToPrint = { readonly id: number; readonly voucher: Voucher }
export type PrintedVoucher = { readonly id: number } & ({ readonly pdf: Uint8Array } | { readonly error: unknown })

const waiting = new Map<number, PromiseWithResolvers<Buffer>>()
let thread: Worker | undefined
let lastId = 0

/** The voucher as PDF, written in a thread: it takes 50 to 300 ms, in which nobody else would be answered. */
export function printVoucher(voucher: Voucher): Promise<Buffer> {
  thread ??= startThread()
  // It keeps the process alive only while it has something to print.
  thread.ref()
  lastId += 1
  const printed = Promise.withResolvers<Buffer>()
  waiting.set(lastId, printed)
  thread.postMessage({ id: lastId, voucher } satisfies VoucherToPrint)
  return printed.promise
}

/** Started with the first voucher, because most processes never print one. */
function startThread(): Worker {
  const started = new Worker(new URL('./voucher-thread.ts', import.meta.url), { name: 'vouchers' })
  started.on('message', (printed: PrintedVoucher) => {
    const caller = waiting.get(printed.id)
    waiting.delete(printed.id)
    if (waiting.size === 0) started.unref()
    if ('error' in printed) caller?.reject(printed.error)
    else caller?.resolve(Buffer.from(printed.pdf.buffer))
  })
  // Whatever ends it: those who wait are told, and the next voucher starts another one.
  const onEnd = (cause: unknown) => {
    if (thread !== started) return
    thread = undefined
    for (const { reject } of waiting.values()) reject(new Error('the thread for vouchers has ended', { cause }))
    waiting.clear()
  }
  started.on('error', onEnd)
  started.on('exit', onEnd)
  return started
}
