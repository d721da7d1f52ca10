import { createBookingLinks } from '../booking/booking-links.ts'
import { createLinkStore } from '../booking/store/links.ts'
import type { Booking } from '../domain/booking/booking.ts'
import { buildMailId, MAIL_KEPT_MS, type MailContent, type OperatorNote } from '../domain/mail.ts'
import { deriveKeyring } from '../lib/crypto/keyring.ts'
import { createDeliverMails } from '../mail/deliver-mails.ts'
import { addMailMetrics } from '../mail/metrics.ts'
import { createResendMail } from '../mail/resend-mail.ts'
import { createSendLink } from '../mail/send-link.ts'
import { createSmtpSender } from '../mail/smtp-sender.ts'
import { createMailLog } from '../mail/store/log.ts'
import { createMailQueue, createMailStore, type MailStore } from '../mail/store/mails.ts'
import { type WriteMailDeps, writeMail } from '../mail/write-mail.ts'
import { writeOperatorNote } from '../mail/write-operator-note.ts'
import { printDocument } from '../voucher/print-document.ts'
import { createVoucher } from '../voucher/voucher.ts'
import { voucherDocument } from '../voucher/voucher-document.ts'
import type { Core } from './core.ts'

const KEPT_MAX = 100

/** Mails to guests and the operator are queued with each change of a booking and sent by a job. */
export function composeMail({ config, clock, log, registry, database }: Core) {
  const { smtp, sender, keep, operator } = config.mail
  const keys = deriveKeyring(config.secrets, 'mail')
  const mails = createMailStore(database, keys, { keepSent: keep })
  const linkStore = createLinkStore(database, deriveKeyring(config.secrets, 'persons'))
  const links = createBookingLinks({
    store: linkStore,
    keyring: deriveKeyring(config.secrets, 'booking-links'),
    clock,
    publicUrl: config.publicUrl,
  })
  const writing = { domain: sender.domain, isSandbox: config.sandbox, createVoucher: attachVoucher }
  const parts = { ...writing, linkTo: links.urlFor, operator }
  const metrics = addMailMetrics(registry)
  // Mails about simulated bookings are never sent.
  const choosePurpose = ({ simulated }: Booking) => {
    if (smtp !== undefined && !simulated) return 'send'
    return keep ? 'keep' : undefined
  }
  const mailLog = createMailLog(database, keys)
  const sendLink = createSendLink({
    bookings: linkStore,
    mails: mailLog,
    choosePurpose,
    clock,
    onBug: (error) => log.error({ err: error }, 'unexpected error while sending the link to a booking'),
  })
  return {
    forHttp: {
      bookingLinks: links,
      sendLink,
      devMail: keep ? createDevMail(mails, parts) : undefined,
      calendarDomain: sender.domain,
      isSandbox: config.sandbox,
    },
    log: mailLog,
    sendAgain: createResendMail({ mails: mailLog, choosePurpose, clock }),
    queue: createMailQueue(keys, choosePurpose, { tellsOperator: operator !== undefined }),
    deliver: createDeliverMails({
      mails,
      sender: smtp && createSmtpSender(smtp, sender),
      write: (content) => writeAny(content, parts),
      clock,
      onReport: (report) => {
        metrics.onReport(report)
        log[report.result === 'given_up' ? 'error' : report.result === 'retry' ? 'warn' : 'debug'](report, 'mail')
      },
      onBug: (error, { bookingId }) =>
        log.error({ err: error, booking: bookingId }, 'unexpected error while sending a mail'),
    }),
    /** Deletes a batch of old mails; returns their number. */
    deleteOld: () => mails.deleteOld(clock.now() - MAIL_KEPT_MS),
  }
}

type Parts = WriteMailDeps & { readonly operator: string | undefined }

const writeAny = async (content: MailContent | OperatorNote, parts: Parts) =>
  content.kind === 'operator_note'
    ? writeOperatorNote(content, parts.operator ?? '', parts.domain)
    : writeMail(content, parts)

async function attachVoucher(booking: Booking) {
  const content = await printDocument(voucherDocument(createVoucher(booking)))
  return { filename: `voucher-${booking.reference}.pdf`, contentType: 'application/pdf', content }
}

/** Newest mails, for development. The list leaves vouchers empty, because printing all of them is slow. */
function createDevMail(mails: MailStore, parts: Parts) {
  const write = async (content: MailContent | OperatorNote, outcome: string, mailParts: Parts) => ({
    outcome,
    mail: await writeAny(content, mailParts),
  })
  const withoutVouchers = { ...parts, createVoucher: async () => ({ filename: '', contentType: '', content: '' }) }
  return {
    list: async () =>
      Promise.all(
        (await mails.recent(KEPT_MAX)).map(({ outcome, content }) => write(content, outcome, withoutVouchers)),
      ),
    read: async (id: string) => {
      const found = (await mails.recent(KEPT_MAX)).find(
        ({ content: { booking, event } }) => buildMailId(booking.bookingId, event) === id,
      )
      return found && write(found.content, found.outcome, parts)
    },
  }
}
