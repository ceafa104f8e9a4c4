import type { Static, TSchema } from 'typebox'

/** Who may call a route: holders of an API key, everybody, or callers that a scheme of the app accepts. */
type Access = 'key' | 'anonymous' | (string & {})

/**
 * A route is data: it feeds validation, the OpenAPI document, the console's client and the tests. A contract that may
 * import nothing but the schema library writes it as a plain object, `as const`.
 */
export interface RouteShape<Code extends string = string> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters as `{name}` or `:name`; the OpenAPI document shows `{name}`. */
  readonly path: string
  /** One sentence; the title of the operation in the reference. */
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  /** Name of the operation in generated clients; made from method and path when absent. */
  readonly operationId?: string
  /** Path parameters; each is text when absent. */
  readonly params?: TSchema
  readonly query?: TSchema
  /** Only the headers the route reads; the handler finds them under lower-case names. */
  readonly headers?: TSchema
  readonly body?: TSchema
  /** Media types of the body; every JSON type when absent. A type that is not JSON arrives as a Buffer. */
  readonly consumes?: readonly string[]
  /**
   * True leaves the body unread for the handler, which limits and reads `request.raw` itself, as `readMultipart` does;
   * `consumes` says which types, `body` is for the OpenAPI document only.
   */
  readonly streamed?: boolean
  /** True lets the handler of a streamed route judge the media type, too; `consumes` is then for the document only. */
  readonly judgesMediaType?: boolean
  /** The body by media type, where a streamed route takes several; for the OpenAPI document only, like its `body`. */
  readonly bodies?: Readonly<Record<string, TSchema>>
  /** Status of the response: 200, or 204 for a route without an answer. */
  readonly status?: number
  /** The JSON answer; fields it does not declare are not sent. */
  readonly answer?: TSchema
  /** Media type of an answer that is not JSON; the handler returns text, bytes or a stream. */
  readonly produces?: string
  /** Answers under other statuses, which the handler chooses with `reply.code()`. */
  readonly otherAnswers?: Readonly<Record<number, TSchema>>
  /** Codes of the service's vocabulary that this route may answer. */
  readonly refusals?: readonly Code[]
  /** Default `key`. */
  readonly access?: Access
  /** Name of the rate-limit policy whose counter the route shares. */
  readonly policy?: string
  /** Largest body, in bytes; the app's limit when absent. */
  readonly bodyLimitBytes?: number
  /** Whether a call takes one of the app's slots; by default all but anonymous routes do. */
  readonly counted?: boolean
  /** True for a page a browser shows: it gets the content security policy of pages. */
  readonly page?: boolean
  /** True leaves the route out of the OpenAPI document. */
  readonly hidden?: boolean
}

/** Declares a route; the compiler checks its shape and keeps every schema's type. */
export const route = <const R extends RouteShape>(definition: R): R => definition

/** The status of a route's usual answer. */
export const successStatus = ({ status, answer, produces }: RouteShape): number =>
  status ?? (answer || produces ? 200 : 204)

type StaticOf<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}/:${infer Name}/${infer Rest}`
    ? Name | ParamNames<`/${Rest}`>
    : Path extends `${string}/:${infer Name}`
      ? Name
      : never

type LowerCaseKeys<T> = { [Key in keyof T as Key extends string ? Lowercase<Key> : Key]: T[Key] }

export type ParamsOf<R extends RouteShape> = StaticOf<R['params'], Readonly<Record<ParamNames<R['path']>, string>>>
export type QueryOf<R extends RouteShape> = StaticOf<R['query'], Readonly<Record<string, unknown>>>
export type HeadersOf<R extends RouteShape> = R['headers'] extends TSchema
  ? LowerCaseKeys<Static<R['headers']>>
  : Readonly<Record<string, string | string[] | undefined>>
export type BodyOf<R extends RouteShape> = R['streamed'] extends true
  ? undefined
  : StaticOf<R['body'], R['consumes'] extends readonly string[] ? Buffer | undefined : undefined>

/** What a handler of the route returns. */
export type AnswerOf<R extends RouteShape> = R['produces'] extends string
  ? string | Uint8Array | NodeJS.ReadableStream
  : R['answer'] extends TSchema
    ? ReadOnly<Static<R['answer']>> | OtherAnswers<R['otherAnswers']>
    : // biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers nothing returns nothing.
      void

type OtherAnswers<Answers> =
  Answers extends Readonly<Record<number, TSchema>> ? ReadOnly<Static<Answers[keyof Answers & number]>> : never

/** A handler may return objects it does not own: an answer is never modified on its way out. */
type ReadOnly<T> = T extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadOnly<T[Key]> }
    : T
