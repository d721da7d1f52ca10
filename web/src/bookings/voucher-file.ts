import { voucherPdf } from '../api/operations.ts'
import type { Booking } from '../api/shapes.ts'

/** Fetches the voucher and hands it to the browser as a file: a link alone could not ask for a PDF. */
export async function downloadVoucher({ booking_id, reference }: Booking): Promise<void> {
  const address = URL.createObjectURL(await voucherPdf(booking_id))
  const link = document.createElement('a')
  link.href = address
  link.download = `voucher-${reference}.pdf`
  link.click()
  URL.revokeObjectURL(address)
}
