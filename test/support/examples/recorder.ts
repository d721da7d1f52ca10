import type { InjectOptions } from 'fastify'

type Call = Pick<InjectOptions, 'method' | 'url'> & {
  readonly payload?: object | string
  readonly simulate?: string
  readonly headers?: Record<string, string>
}
type Recorded = { request?: unknown; answers: Record<string, unknown>; stream?: string }
type Answer = { readonly statusCode: number; readonly body: string }
export type Recorder = ReturnType<typeof createRecorder>

/** Calls the API and records its answers by operation and status, and its problems by code. */
export function createRecorder(inject: (call: InjectOptions) => Promise<Answer>) {
  const operations: Record<string, Recorded> = {}
  const problems: Record<string, unknown> = {}
  let token = ''
  const send = ({ simulate, headers, ...call }: Call) =>
    inject({
      ...call,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(simulate === undefined ? {} : { 'x-simulate-return': simulate }),
        ...headers,
      },
    })
  const put = (operation: string, status: number, answer: unknown, request?: unknown) => {
    const recorded: Recorded = operations[operation] ?? { answers: {} }
    operations[operation] = recorded
    if (request !== undefined) recorded.request ??= request
    recorded.answers[status] ??= answer
  }
  return {
    operations,
    problems,
    put,
    authorize: (value: string) => {
      token = value
    },
    /** Sends a call, records request and answer, and returns the answer. */
    async keep(operation: string, status: number, call: Call): Promise<ReturnType<typeof JSON.parse>> {
      const { statusCode, body } = await send(call)
      if (statusCode !== status) throw new Error(`${operation} answered ${statusCode}, not ${status}: ${body}`)
      put(operation, status, JSON.parse(body), status < 400 ? call.payload : undefined)
      return JSON.parse(body)
    },
    async keepStream(operation: string, call: Call): Promise<void> {
      const { body } = await send({ ...call, headers: { accept: 'text/event-stream' } })
      operations[operation] = { answers: {}, ...operations[operation], stream: body }
    },
    async keepProblem(code: string, call: Call): Promise<void> {
      const { body } = await send(call)
      const problem = JSON.parse(body)
      if (problem.code !== code) throw new Error(`expected ${code}: ${body}`)
      problems[code] = problem
    },
  }
}
