import { describeDiscrepancy } from '../domain/booking/describe-discrepancy.ts'
import { findReportedDiscrepancy, type OperatorNote } from '../domain/mail.ts'
import { buildMessageId } from '../domain/webhook.ts'
import { escapeHtml } from '../lib/text/escape-html.ts'
import { toSingleLine } from './sanitize-content.ts'
import type { Mail } from './write-mail.ts'

/** Mail to the operator with the difference and commands to investigate it. Contains no names of guests. */
export function writeOperatorNote({ booking, event }: OperatorNote, to: string, domain: string): Mail {
  const { bookingId, state, vendorId, vendorReference, reference, property, stay, payment } = booking
  const found = findReportedDiscrepancy({ booking, event })
  const lines = [
    found === undefined ? (event.reason ?? 'a discrepancy') : describeDiscrepancy(found),
    '',
    `Booking: ${bookingId}, ${state}`,
    `Vendor: ${vendorId}, reference ${vendorReference ?? 'unknown'}; our reference ${reference}`,
    `Stay: ${property.name}, ${stay.checkIn} to ${stay.checkOut}`,
    '',
    `serai api operator.bookings.show --booking_id ${bookingId}`,
    `serai api operator.bookings.read --booking_id ${bookingId}`,
    ...(payment === undefined ? [] : [`serai payments show ${payment.paymentId}`]),
    ...(state === 'needs_review' ? [`serai api operator.bookings.resolve --booking_id ${bookingId}`] : []),
  ].map((line) => toSingleLine(line))
  const subject = toSingleLine(`${event.reason ?? 'discrepancy'}: ${bookingId}, check-in ${stay.checkIn}`)
  return {
    messageId: `<${buildMessageId(bookingId, event.sequence)}@${domain}>`,
    at: event.at,
    to,
    language: 'en',
    subject,
    text: lines.join('\n'),
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body><pre>${escapeHtml(lines.join('\n'))}</pre></body></html>`,
    attachments: [],
  }
}
