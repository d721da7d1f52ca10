import { callApi, serai } from '../../api/client.ts'

const formatStatus = (status: string) => status.replaceAll('_', ' ')

export async function askVendor(bookingId: string): Promise<string> {
  const {
    asked,
    status_before: before,
    booking,
  } = await callApi(serai.operator.bookingsRead({ booking_id: bookingId }))
  const now = formatStatus(booking.status)
  if (!asked) return `The vendor could not be asked now. The service will retry. The booking is ${now}.`
  if (booking.status !== before)
    return `The vendor was asked: the booking was ${formatStatus(before)} and is now ${now}.`
  const differs = booking.discrepancies.some(({ until }) => until === null)
  return `The vendor was asked: the booking is still ${now}${differs ? ', and there is still a discrepancy' : ''}.`
}

export async function sendMail(bookingId: string, sequence: number | null): Promise<string> {
  await callApi(serai.operator.bookingsMail({ booking_id: bookingId, sequence }))
  return sequence === null
    ? 'A mail with the current status is on its way to the guest.'
    : 'The mail is on its way again.'
}

export async function replayDelivery(webhookId: string, deliveryId: string): Promise<string> {
  await callApi(serai.operator.webhooksReplayDelivery({ id: webhookId, delivery_id: deliveryId }))
  return `Event ${deliveryId} is on its way again.`
}

/** Sends all undelivered events. */
export async function replayWebhook(webhookId: string): Promise<string> {
  const { queued } = await callApi(serai.operator.webhooksReplay({ id: webhookId }))
  return `${queued} ${queued === 1 ? 'event is' : 'events are'} on the way to ${webhookId} again.`
}
