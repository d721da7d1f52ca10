import type { NodemailerError } from 'nodemailer'
import type { Sender, SmtpSettings } from './smtp-settings.ts'
import type { Mail } from './write-mail.ts'

/** Result of one attempt. Only codes, because servers repeat addresses in their replies. */
export type SendResult =
  | { readonly result: 'sent' }
  /** Rejected permanently. */
  | { readonly result: 'refused'; readonly code: string }
  /** May be accepted later. */
  | { readonly result: 'deferred'; readonly code: string }
  /** The server does not accept any mail at the moment. */
  | { readonly result: 'unavailable'; readonly code: string }

export type SmtpSender = { send(mail: Mail): Promise<SendResult> }

const CONNECT_MS = 10_000
const IDLE_MS = 30_000
/** Allows exactly one recipient; a comma would separate two. */
const ADDRESS = /^[^\s@"<>(),;:\\[\]\p{Cc}]{1,64}@[^\s@"<>(),;:\\[\]\p{Cc}]{1,253}$/u

/** Sends one mail per connection. Logging of the library is off. */
export function createSmtpSender(settings: SmtpSettings, from: Sender, tls: { ca?: string } = {}): SmtpSender {
  const open = async () => {
    // Loaded on demand, because it is slow and most processes do not need it.
    const { createTransport } = await import('nodemailer')
    return createTransport(toOptions(settings, from, tls))
  }
  let transport: ReturnType<typeof open> | undefined
  return {
    async send(mail) {
      if (!ADDRESS.test(mail.to)) return { result: 'refused', code: 'address' }
      transport ??= open()
      try {
        await (await transport).sendMail({
          ...toMessage(mail, from),
          envelope: { from: from.address, to: [mail.to] },
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        return { result: 'sent' }
      } catch (error) {
        return toFailure(error)
      }
    },
  }
}

const toOptions = (settings: SmtpSettings, from: Sender, tls: { ca?: string }) => ({
  host: settings.host,
  port: settings.port,
  secure: settings.secure,
  requireTLS: !settings.secure && settings.startTls === 'required',
  ignoreTLS: !settings.secure && settings.startTls === 'off',
  tls,
  ...(settings.user !== undefined && { auth: { user: settings.user, pass: settings.password ?? '' } }),
  name: from.domain,
  connectionTimeout: CONNECT_MS,
  greetingTimeout: CONNECT_MS,
  socketTimeout: IDLE_MS,
  logger: false,
})

const toMessage = (mail: Mail, from: Sender) => ({
  messageId: mail.messageId,
  date: new Date(mail.at),
  from: { name: from.name, address: from.address },
  to: { name: '', address: mail.to },
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': mail.language },
  attachments: mail.attachments.map(({ filename, contentType, content }) => ({ filename, contentType, content })),
})

/** Errors of this recipient or message; all others concern the server, our password or our sender. */
const MAIL_COMMANDS = ['RCPT TO', 'DATA']

function toFailure(error: unknown): SendResult {
  const facts: NodemailerError = error instanceof Error ? error : new Error('unknown')
  const reply = facts.responseCode
  const code = String(reply ?? facts.code ?? 'unknown').slice(0, 40)
  if (reply === undefined || !MAIL_COMMANDS.includes(String(facts.command))) return { result: 'unavailable', code }
  return { result: facts.permanent === true ? 'refused' : 'deferred', code }
}
