import { Ajv, type ValidateFunction } from 'ajv'

type Json = Readonly<Record<string, unknown>>
type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: Json
  readonly explode?: boolean
}
type Operation = {
  readonly operationId?: string
  readonly parameters?: readonly Json[]
  readonly requestBody?: Json
  readonly responses?: Readonly<Record<string, Json>>
}

type CheckedRequest = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

type OpenApiCheck = {
  /** Returns the violations of the vendor's document. */
  request(request: CheckedRequest): string[]
  /** The same for an answer to that request. */
  response(request: Pick<CheckedRequest, 'method' | 'path'>, status: number, body: unknown): string[]
}

/** Validates requests and answers against a vendor's OpenAPI 3.0 document, whose paths are relative to `basePath`. */
export function createOpenApiCheck(document: Json, basePath = ''): OpenApiCheck {
  const strict = new Ajv({ strict: false, validateFormats: false, allErrors: true, coerceTypes: false })
  const lenient = new Ajv({ strict: false, validateFormats: false, allErrors: true, coerceTypes: true })
  for (const ajv of [strict, lenient]) ajv.addSchema({ components: rewriteRefs(document.components) }, 'document')
  const compiled = new Map<unknown, ValidateFunction>()

  const validator = (ajv: Ajv, schema: unknown): ValidateFunction => {
    let found = compiled.get(schema)
    if (found === undefined) {
      found = ajv.compile(rewriteRefs(schema) as Json)
      compiled.set(schema, found)
    }
    return found
  }
  const problems = (ajv: Ajv, schema: unknown, value: unknown, where: string): string[] => {
    const validate = validator(ajv, schema)
    if (validate(value)) return []
    return (validate.errors ?? []).map((error) => `${where}${error.instancePath} ${error.message ?? 'is wrong'}`)
  }
  const resolve = (node: Json): Json => {
    const ref = node.$ref
    if (typeof ref !== 'string') return node
    let found: unknown = document
    for (const key of ref.slice(2).split('/')) found = (found as Json)[key]
    return found as Json
  }

  const parameterProblems = (operation: Operation, variables: Json, url: URL, request: CheckedRequest): string[] => {
    const wanted = (operation.parameters ?? []).map((entry) => resolve(entry) as unknown as Parameter)
    const headers = new Headers(request.headers ?? {})
    const known = new Set(wanted.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name))
    const strays = [...new Set(url.searchParams.keys())].filter((name) => !known.has(name))
    return [
      ...strays.map((name) => `query ${name} is not in the document`),
      ...wanted.flatMap((parameter) => {
        const value = parameterValue(parameter, variables, url, headers)
        const where = `${parameter.in} ${parameter.name}`
        if (value === undefined) return parameter.required === true ? [`${where} is missing`] : []
        return parameter.schema === undefined ? [] : problems(lenient, parameter.schema, value, where)
      }),
    ]
  }

  return {
    request(request) {
      const url = new URL(request.path, 'http://vendor.invalid')
      const match = matchOperation(document, basePath, request.method, url.pathname)
      if (match === undefined) return [`${request.method} ${url.pathname} is not in the document`]
      const found = parameterProblems(match.operation, match.variables, url, request)
      const wantsBody = match.operation.requestBody === undefined ? undefined : resolve(match.operation.requestBody)
      if (wantsBody === undefined) return request.body === undefined ? found : [...found, 'a body is not expected']
      if (request.body === undefined) return wantsBody.required === true ? [...found, 'the body is missing'] : found
      return [...found, ...problems(strict, getJsonSchema(wantsBody), request.body, 'body')]
    },
    response(request, status, body) {
      const { pathname } = new URL(request.path, 'http://vendor.invalid')
      const match = matchOperation(document, basePath, request.method, pathname)
      const entry = match?.operation.responses?.[String(status)]
      if (entry === undefined) return [`status ${status} is not in the document`]
      const schema = getJsonSchema(resolve(entry))
      return schema === undefined ? [] : problems(strict, schema, body, 'answer')
    },
  }
}

/** Points references at the validator's copy of the document. */
const rewriteRefs = (node: unknown): unknown =>
  JSON.parse(JSON.stringify(node ?? {}).replaceAll('"$ref":"#/', '"$ref":"document#/'))

function getJsonSchema(holder: Json): unknown {
  const content = holder.content as Json | undefined
  const media = content?.['application/json'] ?? (content === undefined ? undefined : Object.values(content)[0])
  return (media as Json | undefined)?.schema
}

function matchOperation(document: Json, basePath: string, method: string, pathname: string) {
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>
  if (!pathname.startsWith(`${basePath}/`)) return undefined
  const given = pathname.slice(basePath.length).split('/')
  // Literal paths win over templates, as in the OpenAPI specification.
  const templates = Object.keys(paths).sort((a, b) => countVariables(a) - countVariables(b))
  for (const template of templates) {
    const parts = template.split('/')
    const fits = parts.length === given.length && parts.every((part, i) => part.startsWith('{') || part === given[i])
    const operation = paths[template]?.[method.toLowerCase()]
    if (!fits || operation === undefined) continue
    const variables = Object.fromEntries(
      parts.flatMap((part, i) =>
        part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(given[i] ?? '')]] : [],
      ),
    )
    return { operation, variables }
  }
  return undefined
}

const countVariables = (template: string) => template.split('{').length

function parameterValue(parameter: Parameter, variables: Json, url: URL, headers: Headers): unknown {
  if (parameter.in === 'path') return variables[parameter.name]
  if (parameter.in === 'header') return headers.get(parameter.name) ?? undefined
  if (!url.searchParams.has(parameter.name)) return undefined
  const values = url.searchParams.getAll(parameter.name)
  if (parameter.schema?.type !== 'array') return values.length === 1 ? values[0] : values
  return parameter.explode === false ? values.flatMap((value) => value.split(',')) : values
}
