import type { NodemailerError } from 'nodemailer'
import type { Sender, SmtpSettings } from './smtp-settings.ts'
import type { Mail } from './write-mail.ts'

/** How one attempt went; codes only, because servers repeat addresses in their answers. */
export type SendResult =
  | { readonly result: 'sent' }
  /** This mail will never be taken. */
  | { readonly result: 'refused'; readonly code: string }
  /** This mail may be taken later. */
  | { readonly result: 'deferred'; readonly code: string }
  /** The server takes none at the moment. */
  | { readonly result: 'unavailable'; readonly code: string }

export type SmtpSender = { send(mail: Mail): Promise<SendResult> }

const CONNECT_MS = 10_000
const SILENCE_MS = 30_000
/** What stands in the way of one recipient only; a comma would make two of them. */
const ADDRESS = /^[^\s@"<>(),;:\\[\]\p{Cc}]{1,64}@[^\s@"<>(),;:\\[\]\p{Cc}]{1,253}$/u

/** Sends one mail per connection; nothing it does is logged by the library. */
export function createSmtpSender(settings: SmtpSettings, from: Sender, tls: { ca?: string } = {}): SmtpSender {
  const open = async () => {
    // It takes a while to load, and most starts need none.
    const { createTransport } = await import('nodemailer')
    return createTransport(optionsOf(settings, from, tls))
  }
  let transport: ReturnType<typeof open> | undefined
  return {
    async send(mail) {
      if (!ADDRESS.test(mail.to)) return { result: 'refused', code: 'address' }
      transport ??= open()
      try {
        await (await transport).sendMail({
          ...messageOf(mail, from),
          envelope: { from: from.address, to: [mail.to] },
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        return { result: 'sent' }
      } catch (error) {
        return failureOf(error)
      }
    },
  }
}

const optionsOf = (settings: SmtpSettings, from: Sender, tls: { ca?: string }) => ({
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
  socketTimeout: SILENCE_MS,
  logger: false,
})

const messageOf = (mail: Mail, from: Sender) => ({
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

/** Said of this recipient or this message; anything else is said of the server, our password or our sender. */
const OF_THIS_MAIL = ['RCPT TO', 'DATA']

function failureOf(error: unknown): SendResult {
  const facts: NodemailerError = error instanceof Error ? error : new Error('unknown')
  const reply = facts.responseCode
  const code = String(reply ?? facts.code ?? 'unknown').slice(0, 40)
  if (reply === undefined || !OF_THIS_MAIL.includes(String(facts.command))) return { result: 'unavailable', code }
  return { result: facts.permanent === true ? 'refused' : 'deferred', code }
}
