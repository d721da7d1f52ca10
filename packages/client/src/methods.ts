import type { operations } from './generated/api-types.ts'
import type { OPERATIONS } from './generated/operations.ts'

/** Behaviour of the service's built-in vendor, which replaces the real ones. */
export type Simulation = NonNullable<
  NonNullable<operations['searchCreate']['parameters']['header']>['x-simulate-return']
>

export type CallOptions = {
  readonly signal?: AbortSignal | undefined
  /** Per attempt; defaults to the operation's own timeout. */
  readonly timeoutMs?: number | undefined
  /** Maximum number of repeats, if repeating is safe. */
  readonly retries?: number | undefined
  /** Appears in the service's log; generated if absent. */
  readonly requestId?: string | undefined
  /** For `booking.create`; derived from the body if absent. */
  readonly idempotencyKey?: string | undefined
  readonly simulate?: Simulation | undefined
  /** W3C trace context of your own request. */
  readonly traceparent?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type Operation = {
  readonly method: string
  readonly path: string
  readonly inQuery?: readonly string[]
  readonly hasBody?: boolean
  readonly isList?: boolean
  readonly isPublic?: boolean
  /** `always`, like any GET: changes nothing. `preview`: changes nothing if called with `preview: true`. */
  readonly safe?: 'always' | 'preview'
}
export type Arguments = Readonly<Record<string, unknown>>

type OrUnknown<T> = [T] extends [never] ? unknown : NonNullable<T>
/** Flags become booleans, `order_by[]` becomes `order_by`, and the long form of filters is omitted. */
type SimpleQuery<Query> = {
  [Name in keyof Query as Name extends `${infer Short}[]`
    ? Short
    : Name extends `${string}[0]${string}`
      ? never
      : Name]: Exclude<Query[Name], undefined> extends 'true' | 'false' ? boolean : Query[Name]
}
type ParametersOf<O> = O extends { parameters: infer P } ? P : never
type QueryOf<O> = ParametersOf<O> extends { query?: infer Q } ? SimpleQuery<OrUnknown<Exclude<Q, undefined>>> : unknown
type PathOf<O> = ParametersOf<O> extends { path: infer P } ? OrUnknown<P> : unknown
type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : unknown
type ArgumentsOf<O> = PathOf<O> & QueryOf<O> & BodyOf<O>

/** Arguments are optional if none is required. */
type CallArguments<O> = O extends { requestBody: object }
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

/** Unwraps `{ data }`; a page of a list keeps its `meta`. */
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
        (...given: CallArguments<O>): Promise<Result<O>>
        /** Iterates over every item of the list, reading page after page. */
        all(...given: CallArguments<O>): AsyncGenerator<ItemOf<Result<O>>, void, undefined>
      }
    : (...given: CallArguments<O>) => Promise<Result<O>>

/** Methods of a table of operations; the method `booking.create` is the operation `bookingCreate`. */
export type MethodsOf<Table> = {
  readonly [Group in keyof Table & string]: {
    readonly [Name in keyof Table[Group] & string]: `${Group}${Capitalize<Name>}` extends infer Id extends
      keyof operations
      ? Method<operations[Id]>
      : never
  }
}
export type Methods = MethodsOf<typeof OPERATIONS>
