import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '../../domain/errors.ts'
import { fairnessKey } from '../../domain/guest-access.ts'
import { chooseMediaType } from '../../http/body/accepted-media.ts'
import { createOneAtATime } from '../../http/limits/one-at-a-time.ts'
import { requireCaller } from '../../http/middleware/request-context.ts'
import { documentHtml } from '../document-html.ts'
import { printDocument } from '../print-document.ts'
import type { PrintedDocument } from '../printed-document.ts'

/** A PDF takes 50 to 300 ms of processor time, so the last one waits a few seconds at most. */
const PDFS_WAITING_MAX = 4
const inTurn = createOneAtATime(
  PDFS_WAITING_MAX,
  () =>
    new AppError(
      'rate_limited',
      'Too many of your vouchers and receipts are being printed. Wait until one is finished.',
      {
        retryAfterMs: 1_000,
      },
    ),
)

/** The first is the default. */
const MEDIA = ['application/json', 'text/html', 'application/pdf'] as const
export type DocumentMedia = (typeof MEDIA)[number]
/** The document has inline styles and loads nothing. */
const HTML_POLICY = "default-src 'none';style-src 'unsafe-inline';frame-ancestors 'none'"

/** Type of the answer, by `accept`. `others`: types that only some documents have. */
export function chooseDocumentMedia<Other extends string = never>(
  request: FastifyRequest,
  reply: FastifyReply,
  others: readonly Other[] = [],
): DocumentMedia | Other {
  reply.header('vary', 'accept')
  return chooseMediaType(request.headers.accept, [...MEDIA, ...others])
}

type Formats<Json> = {
  /** Without extension. */
  readonly fileName: string
  readonly document: PrintedDocument
  toJson(): Json
}

/** Sends a document of a booking as JSON, HTML or PDF. */
export async function sendDocument<Json>(
  media: DocumentMedia,
  { fileName, document, toJson }: Formats<Json>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  switch (media) {
    case 'application/json':
      return { data: toJson() }
    case 'text/html':
      reply.header('content-security-policy', HTML_POLICY).type('text/html; charset=utf-8')
      return reply.send(documentHtml(document))
    case 'application/pdf': {
      const pdf = await inTurn(fairnessKey(requireCaller(request).accountId, request.ip), reply.raw, () =>
        printDocument(document),
      )
      reply.header('content-disposition', `inline; filename="${fileName}.pdf"`).type('application/pdf')
      return reply.send(pdf)
    }
  }
}

export const DOCUMENT_TEXTS = {
  'text/html': { schema: Type.String({ description: 'A document without scripts.' }) },
  'application/pdf': { schema: Type.String({ contentMediaType: 'application/pdf' }) },
}
