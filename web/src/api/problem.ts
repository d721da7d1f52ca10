export type FieldProblem = { readonly field: string; readonly code: string; readonly message: string }

/** A failed request, whether the service, a proxy or the network failed. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly code: string
  readonly requestId: string
  readonly fields: readonly FieldProblem[]
  readonly retryAfterMs: number
  /** The whole problem document; some codes have extra members. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: Record<string, unknown>, retryAfterMs = 0) {
    super(textOf(body.detail) || textOf(body.title) || `HTTP ${status}`)
    this.status = status
    this.code = textOf(body.code) || (status === 0 ? 'unreachable' : 'unknown')
    this.requestId = textOf(body.instance)
    this.fields = Array.isArray(body.errors) ? (body.errors as FieldProblem[]) : []
    this.retryAfterMs = retryAfterMs
    this.body = body
  }
}

/** The user closed the sign-in dialog; not an error to show. */
export class SignInDeclined extends Error {
  override readonly name = 'SignInDeclined'
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A proxy may answer with HTML or nothing; the status is kept in every case. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const text = await response.text().catch(() => '')
  const seconds = Number(response.headers.get('retry-after'))
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : 0
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null)
      return new ApiProblem(response.status, body as Record<string, unknown>, retryAfterMs)
  } catch {
    // Not JSON: only the status is known.
  }
  return new ApiProblem(response.status, { instance: response.headers.get('x-request-id') ?? '' }, retryAfterMs)
}

export const unreachable = (cause: unknown): ApiProblem =>
  new ApiProblem(0, { code: 'unreachable', detail: cause instanceof Error ? cause.message : '' })
