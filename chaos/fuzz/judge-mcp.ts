import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { outlineOutput } from '../../src/agents/outline-schema.ts'
import { TOOLS } from '../../src/agents/tools.ts'
import { type JudgedAnswer, judgeAny } from './judge.ts'
import type { FuzzedRequest } from './request.ts'
import type { Document } from './schema.ts'

/** Refusals of the protocol and of our middleware. */
const STATUSES = [200, 202, 400, 401, 403, 404, 406, 413, 415, 429]
const EFFECTS = ['none', 'unknown']

type Message = { jsonrpc?: unknown; id?: unknown; result?: ToolResult; error?: { code?: unknown; message?: unknown } }
type ToolResult = {
  isError?: boolean
  resultType?: string
  content?: { type?: unknown; text?: unknown }[]
  structuredContent?: unknown
}

/** Returns the violations of the protocol, or of the schema of a tool's result, by an answer to an agent. */
export function createMcpJudge(document: Document): (request: FuzzedRequest, answer: JudgedAnswer) => string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: true, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const isProblem = ajv.compile({ $ref: 'document#/components/schemas/Problem' })
  const outputs = new Map(
    TOOLS.map(({ name, output }) => [name, ajv.compile({ allOf: [output, outlineOutput(output)] })]),
  )

  function judgeResult(request: FuzzedRequest, { isError, resultType, content = [], structuredContent }: ToolResult) {
    const [{ type, text } = {}] = content
    const { method, params } = Object(readJson(request.body))
    if (method !== 'tools/call' || resultType === 'input_required') return []
    if (content.length !== 1 || type !== 'text') return ['the result of a tool is not one text']
    const shown = readJson(text)
    if (isError === true) {
      const { code, message, effect } = Object(shown)
      const isExplained = [code, message].every((value) => typeof value === 'string' && value !== '')
      return isExplained && EFFECTS.includes(effect) && code !== 'internal' ? [] : [`a tool failed with ${text}`]
    }
    const isValid = outputs.get(params.name)
    if (JSON.stringify(structuredContent) !== text) return ['the text of a result differs from its structure']
    return isValid?.(structuredContent) ? [] : [`${params.name}: ${ajv.errorsText(isValid?.errors)} in ${text}`]
  }

  function judgeMessage(request: FuzzedRequest, message: Message): string[] {
    const { jsonrpc, id, result, error } = message
    const sent = Object(readJson(request.body)).id
    const isAnswer = id === sent || (id === null && error !== undefined)
    if (jsonrpc !== '2.0' || !isAnswer || (result === undefined) === (error === undefined))
      return [`not an answer to ${JSON.stringify(sent)}: ${JSON.stringify(message).slice(0, 300)}`]
    if (result !== undefined) return judgeResult(request, result)
    return Number.isInteger(error?.code) && typeof error?.message === 'string' && error.code !== -32_603
      ? []
      : [`the error is ${JSON.stringify(error)}`]
  }

  return (request, answer) => {
    const { status, headers, body } = answer
    const flaws = judgeAny(request, answer)
    if (!STATUSES.includes(status)) flaws.push(`${status} is not expected: ${body.slice(0, 300)}`)
    const media = String(headers['content-type'] ?? '').split(';')[0]
    if (body === '') return status === 202 ? flaws : [...flaws, `${status} has no body`]
    if (media === 'application/problem+json')
      return isProblem(readJson(body)) ? flaws : [...flaws, `${status} is not a problem: ${body.slice(0, 300)}`]
    const texts = media === 'text/event-stream' ? readEvents(body) : [body]
    if (texts.length !== 1) return [...flaws, `${texts.length} messages: ${body.slice(0, 300)}`]
    return [...flaws, ...texts.flatMap((text) => judgeMessage(request, Object(readJson(text))))]
  }
}

const readEvents = (body: string): string[] =>
  body
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.replace(/^event: message\ndata: /, ''))

function readJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
