import { fetchReceiptPdf, fetchVoucherPdf } from '../api/operations.ts'
import type { Booking } from '../api/shapes.ts'

export async function downloadVoucher({ booking_id, reference }: Booking): Promise<void> {
  saveFile(await fetchVoucherPdf(booking_id), `voucher-${reference}.pdf`)
}

export async function downloadReceipt({ booking_id, reference }: Booking): Promise<void> {
  saveFile(await fetchReceiptPdf(booking_id), `receipt-${reference}.pdf`)
}

/** A plain link could not request a PDF. */
function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
