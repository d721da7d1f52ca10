import { parentPort } from 'node:worker_threads'
import type { PrintedVoucher, VoucherToPrint } from './print-voucher.ts'
import { voucherPdf } from './voucher-pdf.ts'

parentPort?.on('message', async ({ id, voucher }: VoucherToPrint) => {
  try {
    const pdf = new Uint8Array(await voucherPdf(voucher))
    parentPort?.postMessage({ id, pdf } satisfies PrintedVoucher, [pdf.buffer])
  } catch (error) {
    parentPort?.postMessage({ id, error } satisfies PrintedVoucher)
  }
})
