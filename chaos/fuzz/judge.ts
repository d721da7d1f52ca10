import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FuzzedRequest } from './request.ts'
import type { Document, Schema } from './schema.ts'

export type JudgedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
  readonly ms: number
}

const SLOW_MS = 1_000
/** The only server errors: a vendor fails because the request asked for it. `partial` fails at one of two vendors. */
const REQUESTED_FAILURES: Readonly<Record<string, number>> = { vendor_error: 502, partial: 502 }

/** A position in a source file, as in a stack trace. */
const STACK = /(?:\/\S*\.[cm]?[jt]s|\bnode:[\w/]+):\d+:\d+|\bnode_modules\//

/** Returns the violations of the OpenAPI document by an answer; empty if there are none. */
export function createJudge(document: Document): (request: FuzzedRequest, answer: JudgedAnswer) => string[] {
  // Optimizing the code of a validator takes longer than its few calls.
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  /** Validators by the reference of their schema, which hundreds of responses share. */
  const compiled = new Map<string, ValidateFunction>()
  const validator = (reference: string) => {
    const known = compiled.get(reference) ?? ajv.compile({ $ref: `document${reference}` })
    compiled.set(reference, known)
    return known
  }

  return (request, answer) => {
    const { method, path } = request
    const { status, headers, body } = answer
    const flaws = judgeAny(request, answer)
    const described = document.paths[path]?.[method.toLowerCase()]?.responses[String(status)]
    if (described === undefined) return [...flaws, `${status} is not documented: ${body.slice(0, 300)}`]
    const media = String(headers['content-type'] ?? '').split(';')[0] ?? ''
    const documented = Object.keys(described.content ?? {})
    if (documented.length === 0) return body === '' ? flaws : [...flaws, `${status} has an undocumented body`]
    if (media === 'text/event-stream') return flaws
    if (!documented.includes(media)) return [...flaws, `${status} came as ${media}, documented is ${documented}`]
    if (!/json$/.test(media)) return flaws
    const pointer = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', media, 'schema']
    const validate = validator(
      sharedReference(described.content?.[media]?.schema) ?? `#/${pointer.map(escapePointer).join('/')}`,
    )
    if (validate(parse(body))) return flaws
    const [first] = validate.errors ?? []
    return [...flaws, `${status} breaks its schema at ${first?.instancePath} ${first?.message}: ${body.slice(0, 300)}`]
  }
}

/** Applies to every path. */
export function judgeAny(request: FuzzedRequest, { status, body, ms }: JudgedAnswer): string[] {
  const simulation = request.headers['x-simulate-return'] ?? ''
  const isRequested = Object.hasOwn(REQUESTED_FAILURES, simulation) && REQUESTED_FAILURES[simulation] === status
  const token = /\bsr[tk]_[\w-]{20,}/.exec(request.headers.authorization ?? '')?.[0]
  return [
    ...(ms > SLOW_MS ? [`took ${Math.round(ms)} ms`] : []),
    ...(status >= 500 && !isRequested ? [`answered ${status}: ${body.slice(0, 300)}`] : []),
    ...(STACK.test(body) ? [`answered with a stack: ${body.slice(0, 300)}`] : []),
    ...(token !== undefined && body.includes(token) ? [`answered with the token: ${body.slice(0, 300)}`] : []),
  ]
}

/** Reference of a schema that is only a reference. */
const sharedReference = (schema: Schema = {}): string | undefined =>
  typeof schema.$ref === 'string' && Object.keys(schema).length === 1 ? schema.$ref : undefined

const escapePointer = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
