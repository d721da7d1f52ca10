import { fetchVoucherPdf } from '../api/operations.ts'
import type { Booking } from '../api/shapes.ts'

/** A plain link could not request a PDF. */
export async function downloadVoucher({ booking_id, reference }: Booking): Promise<void> {
  const address = URL.createObjectURL(await fetchVoucherPdf(booking_id))
  const link = document.createElement('a')
  link.href = address
  link.download = `voucher-${reference}.pdf`
  link.click()
  URL.revokeObjectURL(address)
}
