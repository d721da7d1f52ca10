import type { operations } from './generated/api-types.ts'
import type { OPERATIONS } from './generated/operations.ts'

/** How the service's built-in vendor answers instead of the real ones. */
export type Simulation = NonNullable<
  NonNullable<operations['searchCreate']['parameters']['header']>['x-simulate-return']
>

export type CallOptions = {
  readonly signal?: AbortSignal | undefined
  /** For each attempt; otherwise the operation's own. */
  readonly timeoutMs?: number | undefined
  /** How often the call is repeated at most, where that is safe. */
  readonly retries?: number | undefined
  /** Found in the service's log; made by the client otherwise. */
  readonly requestId?: string | undefined
  /** For `booking.create`; made from the body otherwise. */
  readonly idempotencyKey?: string | undefined
  readonly simulate?: Simulation | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** One entry of the table of operations. */
export type Operation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly inPath: readonly string[]
  readonly inQuery: readonly string[]
  readonly hasBody: boolean
  readonly isList: boolean
  readonly needsToken: boolean
  /** The operation changes nothing: always, or if it has the argument `preview: true`. */
  readonly safe: 'always' | 'preview' | 'never'
}
export type Arguments = Readonly<Record<string, unknown>>

type Known<T> = [T] extends [never] ? unknown : NonNullable<T>
/** Flags are written as booleans, `order_by[]` as `order_by`; the long form of filters is left out. */
type Plain<Query> = {
  [Name in keyof Query as Name extends `${infer Short}[]`
    ? Short
    : Name extends `${string}[0]${string}`
      ? never
      : Name]: Exclude<Query[Name], undefined> extends 'true' | 'false' ? boolean : Query[Name]
}
type ParametersOf<O> = O extends { parameters: infer P } ? P : never
type QueryOf<O> = ParametersOf<O> extends { query?: infer Q } ? Plain<Known<Exclude<Q, undefined>>> : unknown
type PathOf<O> = ParametersOf<O> extends { path: infer P } ? Known<P> : unknown
type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : unknown
type ArgumentsOf<O> = PathOf<O> & QueryOf<O> & BodyOf<O>

/** The arguments may be left out where none is needed. */
type Given<O> = O extends { requestBody: object }
  ? [args: ArgumentsOf<O>, options?: CallOptions]
  : Record<never, never> extends ArgumentsOf<O>
    ? [args?: ArgumentsOf<O>, options?: CallOptions]
    : [args: ArgumentsOf<O>, options?: CallOptions]

type ContentOf<O> = O extends { responses: infer Answers }
  ? Answers[keyof Answers] extends { content?: infer Content }
    ? Content
    : never
  : never
type JsonOf<Content> = Content extends { 'application/json': infer Json }
  ? Json
  : Content extends { 'text/html': string } | { 'text/plain': string }
    ? string
    : undefined

/** `{ data }` is what stands in `data`; a page of a list keeps its `meta`. */
type Unwrapped<Answer> = Answer extends { data: unknown; meta: unknown }
  ? Answer
  : Answer extends { data: infer Data }
    ? Data
    : Answer extends { accommodation: infer Property }
      ? Property
      : Answer
type Result<O> = Unwrapped<JsonOf<ContentOf<O>>>
type ItemOf<Page> = Page extends { data: (infer Item)[] } ? Item : never

type Method<O> =
  Result<O> extends { data: unknown[]; meta: unknown }
    ? {
        (...given: Given<O>): Promise<Result<O>>
        /** Every item of the list, page after page, as they are read. */
        all(...given: Given<O>): AsyncGenerator<ItemOf<Result<O>>, void, undefined>
      }
    : (...given: Given<O>) => Promise<Result<O>>

type Table = typeof OPERATIONS
/** One method per operation of the API, in groups. */
export type Methods = {
  readonly [Group in keyof Table]: {
    readonly [Name in keyof Table[Group]]: Table[Group][Name] extends { id: infer Id extends keyof operations }
      ? Method<operations[Id]>
      : never
  }
}
