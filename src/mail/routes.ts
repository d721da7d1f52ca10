import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isLocal, isLoopbackHost } from '../http/metrics.ts'
import { moment } from '../http/present/moment.ts'
import { escapeHtml } from '../lib/text/escape-html.ts'
import type { Attachment, Mail } from './write-mail.ts'

type Kept = { readonly outcome: string; readonly mail: Mail }

export type DevMailDeps = {
  readonly mails: {
    /** Newest first, without attachments. */
    list(): Promise<readonly Kept[]>
    read(messageId: string): Promise<Kept | undefined>
  }
}

const html = { 200: { description: 'A page.', content: { 'text/html': { schema: Type.String() } } } }
const HTML = 'text/html; charset=utf-8'
/** A mail may contain text of a guest or a vendor, so scripts, requests and links are blocked. */
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"

type MailRoute = { Params: { id: string; file: string } }

/** Mails of local bookings; only in development and only from this machine. */
export const devMailRoutes: FastifyPluginAsyncTypebox<DevMailDeps> = async (app, { mails }) => {
  const open = { config: { operation: 'dev.mail', access: 'public' as const, internal: true } }
  const pages = { ...open, schema: { hide: true, response: html } }

  app.addHook('onRequest', async (request, reply) => {
    reply.header('content-security-policy', SANDBOX).header('cache-control', 'no-store')
    if (!isLocal(request) || !isLoopbackHost(request)) return reply.callNotFound()
  })
  const find = ({ params: { id } }: FastifyRequest<MailRoute>) => mails.read(id)

  app.get('/dev/mail', pages, async (_request, reply) => reply.type(HTML).send(listPage(await mails.list())))
  app.get<MailRoute>('/dev/mail/:id', pages, async (request, reply) => {
    const found = await find(request)
    return found === undefined ? reply.callNotFound() : reply.type(HTML).send(mailPage(found))
  })
  app.get<MailRoute>('/dev/mail/:id/html', pages, async (request, reply) => {
    const found = await find(request)
    return found === undefined ? reply.callNotFound() : reply.type(HTML).send(found.mail.html)
  })
  app.get<MailRoute>(
    '/dev/mail/:id/files/:file',
    { ...open, schema: { hide: true, response: { 200: {} } } },
    async (request, reply) => {
      const file = (await find(request))?.mail.attachments[Number(request.params.file)]
      return file === undefined ? reply.callNotFound() : sendFile(reply, file)
    },
  )
}

function sendFile(reply: FastifyReply, { filename, contentType, content }: Attachment) {
  return reply
    .header('content-type', contentType)
    .header('content-disposition', `attachment; filename="${filename.replace(/[^\w.-]/g, '_')}"`)
    .send(content)
}

/** The part of the message id before the @. */
const toPath = (messageId: string): string => messageId.replace(/^<|@.*$/g, '')

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body style="font:15px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem">${body}</body></html>`

function listPage(kept: readonly Kept[]): string {
  const rows = kept.map(
    ({ outcome, mail }) =>
      `<tr><td>${moment(mail.at)}</td><td>${escapeHtml(outcome)}</td><td>${escapeHtml(mail.to)}</td><td><a href="/dev/mail/${toPath(mail.messageId)}">${escapeHtml(mail.subject)}</a></td></tr>`,
  )
  const table = `<table cellpadding="6">${rows.join('')}</table>`
  return page('Mails', `<h1>Mails</h1>${rows.length === 0 ? '<p>No mails yet. Make a booking first.</p>' : table}`)
}

function mailPage({ outcome, mail }: Kept): string {
  const path = `/dev/mail/${toPath(mail.messageId)}`
  const files = mail.attachments.map(
    ({ filename }, index) => `<li><a href="${path}/files/${index}">${escapeHtml(filename)}</a></li>`,
  )
  const head = [mail.messageId, moment(mail.at), `To: ${mail.to}`, outcome].map(
    (line) => `<li>${escapeHtml(line)}</li>`,
  )
  return page(
    mail.subject,
    `<p><a href="/dev/mail">All mails</a></p><h1>${escapeHtml(mail.subject)}</h1><ul>${head.join('')}</ul>` +
      `<p><a href="${path}/html">Show as HTML</a></p><ul>${files.join('')}</ul><pre style="white-space:pre-wrap">${escapeHtml(mail.text)}</pre>`,
  )
}
