import { resultOf, serai } from '../../api/client.ts'

/** What operators do to a booking and to what was sent about it; each returns what was done, in words. */

const wordsOf = (status: string) => status.replaceAll('_', ' ')

export async function askVendor(bookingId: string): Promise<string> {
  const {
    asked,
    status_before: before,
    booking,
  } = await resultOf(serai.operator.bookingsRead({ booking_id: bookingId }))
  const now = wordsOf(booking.status)
  if (!asked) return `The vendor could not be asked just now; the service will ask. The booking is ${now}.`
  if (booking.status !== before) return `The vendor was asked: the booking was ${wordsOf(before)} and is ${now} now.`
  const differs = booking.discrepancies.some(({ until }) => until === null)
  return `The vendor was asked: the booking is still ${now}${differs ? ', and the vendor still differs' : ''}.`
}

export async function sendMail(bookingId: string, sequence: number | null): Promise<string> {
  await resultOf(serai.operator.bookingsMail({ booking_id: bookingId, sequence }))
  return sequence === null ? 'The guest is written how the booking stands now.' : 'The mail is on its way again.'
}

export async function replayDelivery(webhookId: string, deliveryId: string): Promise<string> {
  await resultOf(serai.operator.webhooksReplayDelivery({ id: webhookId, delivery_id: deliveryId }))
  return `Event ${deliveryId} is on its way again.`
}

/** Everything that the webhook has not taken. */
export async function replayWebhook(webhookId: string): Promise<string> {
  const { queued } = await resultOf(serai.operator.webhooksReplay({ id: webhookId }))
  return `${queued} ${queued === 1 ? 'event is' : 'events are'} on the way to ${webhookId} again.`
}
