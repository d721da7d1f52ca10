import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { toLanguage, WORDS } from '../../mail/mail-texts.ts'
import { PLAIN_WORDS } from '../plain/plain-words.ts'
import { readSearchLink } from '../plain/read-search-link.ts'
import { messageHtml, resultsHtml, STYLE } from '../plain/results-html.ts'

const LISTED_MAX = 30
const POLICY = `default-src 'none';style-src 'sha256-${hash('sha256', STYLE, 'base64')}';form-action 'self';base-uri 'none';frame-ancestors 'none'`
const HTML = {
  description: 'The results as a document without scripts.',
  content: { 'text/html': { schema: Type.String() } },
}
const PLAIN = {
  config: { operation: 'page.plain_results', access: 'public' as const, internal: true },
  schema: { hide: true, response: { 200: HTML } },
}

/**
 * Results for browsers without JavaScript: the button on the page posts to the address of the results, so that the link
 * alone, which crawlers follow, never searches. It calls our own API, so that the limits of guests apply.
 */
export async function plainResultsRoutes(app: FastifyInstance): Promise<void> {
  // The form has no fields.
  app.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, done) => done(null))
  app.post('/search', PLAIN, (request, reply) => sendResults(app, request, reply))
}

async function sendResults(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const query = new URLSearchParams(request.url.split('?', 2)[1])
  // Another site must neither search in the visitor's name nor replace the session.
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return reply.redirect(`/search?${query}`, 303)
  const language = toLanguage(request.headers['accept-language'] ?? '')
  const { url, body, ignoresFilters } = readSearchLink(query, WORDS[language].locale, LISTED_MAX)
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')

  const own = site === undefined ? '' : (request.headers.cookie ?? '')
  const begun = await callApi(app, request, '/api/session/guest', own, {})
  const started = begun.headers['set-cookie']?.toString()
  if (started !== undefined && site !== undefined) reply.header('set-cookie', started)
  const cookie = started?.split(';', 1)[0] ?? own
  const found = begun.statusCode < 400 ? await callApi(app, request, url, cookie, body) : begun
  if (found.statusCode < 400) {
    const { data, meta } = found.json()
    const { availability: cards, ...search } = data
    const total = meta.total_count ?? cards.length
    return reply.send(resultsHtml({ search, cards, total, ignoresFilters, query }, language))
  }
  const words = PLAIN_WORDS[language]
  const wait = Number(found.headers['retry-after'])
  if (wait > 0) reply.header('retry-after', String(wait))
  const lines = [words.failures[found.json().code] ?? words.other, ...(wait > 0 ? [words.wait(wait)] : [])]
  return reply.code(found.statusCode).send(messageHtml(words.failed, lines, language))
}

const callApi = (app: FastifyInstance, request: FastifyRequest, url: string, cookie: string, payload: object) =>
  app.inject({
    method: 'POST',
    url,
    payload,
    remoteAddress: request.ip,
    headers: {
      'sec-fetch-site': 'same-origin',
      'x-request-id': request.id,
      'user-agent': request.headers['user-agent'] ?? '',
      host: request.headers.host ?? '',
      ...(cookie !== '' && { cookie }),
    },
  })
