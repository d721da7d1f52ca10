import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { checkJsonText } from './json-text.ts'

/** Accepts only JSON bodies in UTF-8, without prototype keys, duplicate keys or deep nesting. */
export function addJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  for (const type of ['application/json', /^application\/[\w.+-]+\+json/]) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
      parse(decodeUtf8(body)),
    )
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** JSON is UTF-8, whatever `charset` says (RFC 8259). A lenient decoder would book names that contain �. */
function decodeUtf8(body: Buffer): string {
  try {
    return UTF8.decode(body)
  } catch {
    throw new AppError('malformed_request', 'The body is not valid UTF-8. Encode the JSON as UTF-8.')
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // Only the position: the engine's message quotes the body, which may contain passwords and names.
    const position = / at position \d+/.exec(String(error))?.[0] ?? ''
    throw new AppError('malformed_request', `The body is not valid JSON: parsing failed${position}.`)
  }
  const problem = checkJsonText(text)
  if (problem !== undefined) throw new AppError('malformed_request', problem)
  return value
}
