import { send } from '../api/client.ts'
import type { Booking } from '../api/shapes.ts'

/** Fetches the voucher and hands it to the browser as a file: a link alone could not carry the token. */
export async function downloadVoucher({ booking_id, reference }: Booking): Promise<void> {
  const path = `/api/accommodation/bookings/${encodeURIComponent(booking_id)}/voucher`
  const answer = await send(path, { headers: { accept: 'application/pdf' } })
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = `voucher-${reference}.pdf`
  link.click()
  URL.revokeObjectURL(address)
}
