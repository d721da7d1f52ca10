import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import recorded from '../../docs/api-examples.json' with { type: 'json' }
import { ERROR_CODES } from '../../src/domain/errors.ts'
import { plainProblem } from '../../src/http/problem.ts'

export type Json = ReturnType<typeof JSON.parse>

/** `lost`: the connection breaks before an answer arrives. */
export type Answer = { readonly status: number; readonly body?: Json } | 'lost'

const OPERATIONS: Record<string, { readonly answers?: Record<string, Json> }> = recorded.operations
const PROBLEMS: Record<string, Json> = recorded.problems

/** Copy of a recorded answer body, which tests may change. */
export function example(operationId: string, status?: number): Json {
  const { status: first, body } = recordedAnswer(operationId)
  const found = status === undefined || status === first ? body : OPERATIONS[operationId]?.answers?.[status]
  if (found === undefined) throw new Error(`No example of ${operationId} with status ${status ?? 200}.`)
  return structuredClone(found)
}

/** The first recorded answer of an operation, or 204 for one that has no body. */
export function recordedAnswer(operationId: string): { readonly status: number; readonly body?: Json } {
  const [first] = Object.entries(OPERATIONS[operationId]?.answers ?? {})
  return first === undefined ? { status: 204 } : { status: Number(first[0]), body: structuredClone(first[1]) }
}

/** Recorded error answer with `members` replaced. */
export function problem(code: string, members: object = {}): Answer & object {
  const known = ERROR_CODES.find((each) => each === code)
  if (known === undefined) throw new Error(`${code} is not an error code.`)
  const body: Json = { ...structuredClone(PROBLEMS[code] ?? plainProblem(known)), ...members }
  return { status: body.status, body }
}

type Content = { readonly schema?: object; readonly examples?: Record<string, unknown> }
type Operation = {
  readonly operationId: string
  readonly requestBody?: { readonly content: Record<string, Content> }
  readonly responses: Record<string, { readonly content?: Record<string, Content> }>
}
type Document = { readonly paths: Record<string, Record<string, Operation>> }
export type ApiDescription = {
  /** Operation id of a request; undefined if the API has no such path. */
  findOperation(method: string, path: string): string | undefined
  /** Throws if the service never gives this answer to this operation. */
  check(operationId: string, answer: Answer): void
  /** Throws if the service would refuse this body. */
  checkRequest(operationId: string, body: Json): void
}

const PROBLEM_MEDIA = 'application/problem+json'

/** Reads the OpenAPI document of a running service. */
export async function readDescription(url: string): Promise<ApiDescription> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  // Optimizing the code of a validator takes longer than its few calls.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addSchema({ ...document, $id: 'document' })
  const compiled = new Map<string, ValidateFunction>()
  const compile = (schema: object) => {
    const text = JSON.stringify(schema)
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text.replaceAll('"#/', '"document#/')))
    compiled.set(text, validate)
    return validate
  }
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, each]) => ({ path, method, ...each })))
    // A fixed path takes precedence over one with a parameter.
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
    .map((each) => ({ ...each, pattern: new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  return {
    findOperation: (method, path) =>
      operations.find((each) => each.method.toUpperCase() === method && each.pattern.test(path))?.operationId,
    check(operationId, answer) {
      if (answer === 'lost') return
      const { status, body } = answer
      const fail = (reason: string) => {
        throw new Error(`${operationId} never answers ${status} like this: ${reason}`)
      }
      const operation = operations.find((each) => each.operationId === operationId)
      const content = operation?.responses[status]?.content
      if (operation?.responses[status] === undefined) fail('it has no such status')
      const code = body?.code
      // Errors common to all operations are documented only by status.
      const codes = content?.[PROBLEM_MEDIA]?.examples
      if (typeof code === 'string' && codes !== undefined && !(code in codes)) fail(`${code} is not one of its errors`)
      const schema = content?.[status < 400 || code === undefined ? 'application/json' : PROBLEM_MEDIA]?.schema
      if (schema === undefined) return body === undefined ? undefined : fail('it has no body')
      const validate = compile(schema)
      if (!validate(body)) fail(ajv.errorsText(validate.errors))
    },
    checkRequest(operationId, body) {
      const operation = operations.find((each) => each.operationId === operationId)
      const schema = operation?.requestBody?.content['application/json']?.schema
      if (schema === undefined || body === null) return
      const validate = compile(schema)
      if (!validate(body)) throw new Error(`${operationId} refuses this request: ${ajv.errorsText(validate.errors)}`)
    },
  }
}
