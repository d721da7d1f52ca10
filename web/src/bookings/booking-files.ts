import { fetchBookingFile } from '../api/operations.ts'
import type { Booking } from '../api/shapes.ts'

/** A plain link could not request a type. */
async function download(id: string, type: 'application/pdf' | 'text/calendar', name: string): Promise<void> {
  const address = URL.createObjectURL(await fetchBookingFile(id, type))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

export const downloadVoucher = ({ booking_id, reference }: Booking): Promise<void> =>
  download(booking_id, 'application/pdf', `voucher-${reference}.pdf`)

export const downloadCalendar = ({ booking_id, reference }: Booking): Promise<void> =>
  download(booking_id, 'text/calendar', `booking-${reference}.ics`)
