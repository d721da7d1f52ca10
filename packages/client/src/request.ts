import type { ClientOptions } from './client-options.ts'
import type { Arguments, CallOptions, Operation } from './methods.ts'
import type { Attempt } from './read-failure.ts'

/** Arguments by their place in the request. */
export type Parts = {
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Record<string, unknown> | undefined
}

/** Arguments that are in neither the path nor the query belong to the body. */
export function splitArguments(name: string, operation: Operation, args: Arguments): Parts {
  const { inQuery = [], hasBody } = operation
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  for (const [argument, value] of Object.entries(args)) {
    if (value === undefined || operation.path.includes(`{${argument}}`)) continue
    const parameter = [argument, `${argument}[]`].find((known) => inQuery.includes(known))
    if (parameter !== undefined) for (const item of [value].flat()) query.append(parameter, String(item))
    else if (hasBody) body[argument] = value
    else throw new TypeError(`${name} has no argument ${argument}.`)
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, argument: string) => {
    const value = String(args[argument] ?? '')
    if (FORBIDDEN_SEGMENTS.includes(value)) throw new TypeError(`${name} needs the argument ${argument}.`)
    return encodeURIComponent(value)
  })
  return { path, query, body: hasBody ? body : undefined }
}

/** In a path, these would point to another address. */
const FORBIDDEN_SEGMENTS = ['', '.', '..']

export type RequestOptions = CallOptions & {
  readonly accept?: string
  /** Tag of the known state. `read` then also gets a 304, without a body. */
  readonly knownTag?: string | undefined
}

export function buildHeaders(
  setup: ClientOptions,
  options: RequestOptions,
  attempt: Attempt,
  token: string | undefined,
): Record<string, string> {
  const simulate = options.simulate ?? setup.simulate
  return {
    accept: options.accept ?? 'application/json, application/problem+json, */*;q=0.1',
    'x-request-id': attempt.requestId,
    ...(token && { authorization: `Bearer ${token}` }),
    ...(attempt.idempotencyKey && { 'idempotency-key': attempt.idempotencyKey }),
    ...(simulate && { 'x-simulate-return': simulate }),
    ...(options.knownTag && { 'if-none-match': options.knownTag }),
    ...(options.traceparent && { traceparent: options.traceparent }),
    ...setup.headers,
    ...options.headers,
  }
}

export function buildRequest(
  { baseUrl }: ClientOptions,
  { path, query, body }: Parts,
  init: { readonly method: string; readonly headers: Record<string, string>; readonly signal: AbortSignal },
): Request {
  const search = String(query)
  return new Request(`${baseUrl.replace(/\/$/, '')}${path}${search && `?${search}`}`, {
    ...init,
    ...(body && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...init.headers },
    }),
  })
}
