import recorded from '../../../docs/api-examples.json' with { type: 'json' }
import { ERROR_CODES } from '../../domain/errors.ts'
import { PROBLEM_MEDIA, plainProblem } from '../problem.ts'
import type { Json } from './openapi-components.ts'

/** Recorded responses of the service; `npm run docs` renews them. */
export type Examples = {
  readonly operations: Readonly<
    Record<
      string,
      { readonly request?: unknown; readonly answers?: Readonly<Record<string, unknown>>; readonly stream?: string }
    >
  >
  readonly problems: Readonly<Record<string, unknown>>
  readonly events: Readonly<Record<string, unknown>>
}

const EXAMPLES: Examples = recorded
const STREAM_MEDIA = 'text/event-stream'

/** Must run last: earlier steps would mistake parts of examples, such as `vendors[].properties`, for schemas. */
export function withExamples({ paths, webhooks }: Json): { paths: Json; webhooks: Json } {
  const each = (group: unknown, add: (operation: Json, name: string) => Json) =>
    mapped(group, (methods, name) => mapped(methods, (operation) => add(Object(operation), name)))
  return {
    paths: each(paths, (operation) => withAnswers(operation)),
    webhooks: each(webhooks, (operation, name) => withRequest(operation, EXAMPLES.events[name])),
  }
}

function withAnswers(operation: Json): Json {
  const { request, answers = {}, stream } = EXAMPLES.operations[String(operation.operationId)] ?? {}
  const findExample = (media: string, status: string) =>
    media === STREAM_MEDIA ? stream : /json$/.test(media) ? answers[status] : undefined
  const responses = mapped(operation.responses, (response, status) =>
    withContent(Object(response), (media, content) =>
      media === PROBLEM_MEDIA ? withProblems(content) : withExample(content, findExample(media, status)),
    ),
  )
  return { ...withRequest(operation, request), responses }
}

const withRequest = (operation: Json, example: unknown): Json =>
  operation.requestBody === undefined
    ? operation
    : {
        ...operation,
        requestBody: withContent(Object(operation.requestBody), (_media, content) => withExample(content, example)),
      }

const withExample = (content: Json, example: unknown): Json =>
  example === undefined ? content : { ...content, example }

const withContent = (holder: Json, change: (media: string, content: Json) => Json): Json =>
  holder.content === undefined
    ? holder
    : { ...holder, content: mapped(holder.content, (content, media) => change(media, Object(content))) }

function withProblems({ examples, ...content }: Json): Json {
  if (examples === undefined) return content
  const filled = mapped(examples, (example, name) => {
    const code = ERROR_CODES.find((known) => known === name)
    return { ...Object(example), value: EXAMPLES.problems[name] ?? (code && plainProblem(code)) }
  })
  return { ...content, examples: filled }
}

const mapped = (members: unknown, map: (value: unknown, name: string) => unknown): Json =>
  Object.fromEntries(Object.entries(Object(members)).map(([name, value]) => [name, map(value, name)]))
