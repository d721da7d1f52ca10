import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { checkJsonText } from './json-text.ts'

/** JSON bodies only, checked before they are used: UTF-8, no prototype keys, no duplicate keys, no deep nesting. */
export function addJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  for (const type of ['application/json', /^application\/[\w.+-]+\+json/]) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
      parse(textOf(body)),
    )
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Whatever `charset` says, JSON is UTF-8 (RFC 8259). Read leniently, a name in another encoding would be booked with � in it. */
function textOf(body: Buffer): string {
  try {
    return UTF8.decode(body)
  } catch {
    throw new AppError('malformed_request', 'The body is not UTF-8, which JSON is written in; send it in UTF-8.')
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // The engine's message quotes the body, passwords and names included: only the position is told.
    const place = / at position \d+/.exec(String(error))?.[0] ?? ''
    throw new AppError('malformed_request', `The body is not valid JSON: it cannot be read${place}.`)
  }
  const complaint = checkJsonText(text)
  if (complaint !== undefined) throw new AppError('malformed_request', complaint)
  return value
}
