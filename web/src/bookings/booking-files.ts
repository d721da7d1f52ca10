import { fetchBookingFile, fetchReceiptPdf } from '../api/operations.ts'
import type { Booking } from '../api/shapes.ts'

/** A plain link could not request a type. */
function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

export async function downloadVoucher({ booking_id, reference }: Booking): Promise<void> {
  saveFile(await fetchBookingFile(booking_id, 'application/pdf'), `voucher-${reference}.pdf`)
}

export async function downloadCalendar({ booking_id, reference }: Booking): Promise<void> {
  saveFile(await fetchBookingFile(booking_id, 'text/calendar'), `booking-${reference}.ics`)
}

export async function downloadReceipt({ booking_id, reference }: Booking): Promise<void> {
  saveFile(await fetchReceiptPdf(booking_id), `receipt-${reference}.pdf`)
}
