import { answered, missed } from './contact.ts'
import { askForProof, needsProof } from './proof.ts'

/** A refusal in the words of the server: a problem of RFC 9457, or code, message and details, in an envelope or bare. */
export interface Problem {
  readonly status: number
  /** The code clients dispatch on; `http-<status>` when something other than the service answered. */
  readonly code: string
  readonly title: string
  /** The id an operator looks up in the log. */
  readonly requestId: string | undefined
  /** What is wrong, by field. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** What the refusal is about, where it says so. */
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | undefined
}

export type CallFailureReason =
  | { kind: 'unreachable' }
  | { kind: 'unreadable' }
  | { kind: 'refused'; problem: Problem }
  /** The browser gave none, or has one already. */
  | { kind: 'passkey'; problem: 'none' | 'known' }

/** A failed call. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly reason: CallFailureReason

  constructor(reason: CallFailureReason, options?: ErrorOptions) {
    super(reason.kind === 'refused' ? `${reason.problem.status} ${reason.problem.code}` : reason.kind, options)
    this.reason = reason
  }
}

/** The code of a refusal; undefined for any other failure. */
export const refusalCode = (error: unknown): string | undefined =>
  error instanceof CallFailure && error.reason.kind === 'refused' ? error.reason.problem.code : undefined

// A server that accepts and never answers would otherwise freeze the page on its last data without notice.
const DEFAULT_TIMEOUT_SECONDS = 20

export interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent besides the usual ones. */
  readonly headers?: Readonly<Record<string, string>>
  /** Cancels the call, for a caller that no longer waits. */
  readonly signal?: AbortSignal
  /** How long to wait for the answer; default 20 s. */
  readonly timeoutSeconds?: number
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Asks the service and reads its JSON, or throws a `CallFailure` saying why there is none. A call that needs a proof of
 * who is signed in is repeated once that was given.
 */
export async function call<Answer>(method: Method, address: string, options: CallOptions = {}): Promise<Answer> {
  try {
    return await callOnce<Answer>(method, address, options)
  } catch (failure) {
    if (!needsProof(refusalCode(failure)) || !(await askForProof())) throw failure
    return callOnce<Answer>(method, address, options)
  }
}

async function callOnce<Answer>(method: Method, address: string, options: CallOptions): Promise<Answer> {
  const response = await send(method, address, options)
  const text = await response.text().catch((cause) => unreachable(cause, options.signal))
  if (!response.ok) throw refused(response.status, text, headersOf(response))
  return (text === '' ? undefined : parse(text)) as Answer
}

/** Sends a request and returns the response, error responses included. */
export async function send(method: Method, address: string, options: CallOptions = {}): Promise<Response> {
  const { body, headers, signal, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = options
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
  const init: RequestInit = {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  const response = await fetch(address, init).catch((cause) => unreachable(cause, signal))
  answered()
  return response
}

function unreachable(cause: unknown, signal: AbortSignal | undefined): never {
  // A cancellation by the caller is no failure of the server.
  if (signal?.aborted) throw cause
  missed()
  throw new CallFailure({ kind: 'unreachable' }, { cause })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CallFailure({ kind: 'unreadable' }, { cause })
  }
}

/** Finds a header of an answer by its name. */
type Header = (name: string) => string | null

export const headersOf =
  ({ headers }: Response): Header =>
  (name) =>
    headers.get(name)

/** The failure for an error response; a lost session redirects to the login. */
export function refused(status: number, text: string, header: Header): CallFailure {
  const problem = readProblem(status, text, header)
  if (status === 401) for (const listener of sessionListeners) listener()
  return new CallFailure({ kind: 'refused', problem })
}

/** Reads an error response; missing fields are filled from its status and headers. */
export function readProblem(status: number, text: string, header: Header): Problem {
  const said = problemIn(text)
  const details = asRecord(said.details)
  const retryAfter = header('retry-after')
  return {
    status,
    code: typeof said.code === 'string' ? said.code : `http-${status}`,
    title: [said.title, said.message].find((text) => typeof text === 'string') ?? '',
    requestId: typeof said.requestId === 'string' ? said.requestId : (header('x-correlation-id') ?? undefined),
    errors: asRecord(said.errors ?? details.errors) as Problem['errors'],
    details,
    retryAfterSeconds: retryAfter === null || Number.isNaN(Number(retryAfter)) ? undefined : Number(retryAfter),
  }
}

/** The problem in a body, unwrapped from `{ error: … }` if necessary. */
function problemIn(text: string): Record<string, unknown> {
  try {
    const said = asRecord(JSON.parse(text))
    return typeof said.error === 'object' ? asRecord(said.error) : said
  } catch {
    // A proxy answered with a page of its own; only the status is known.
    return {}
  }
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const sessionListeners = new Set<() => void>()

/** Calls `listener` when the session is lost; returns a function that unsubscribes. */
export function onSessionLost(listener: () => void): () => void {
  sessionListeners.add(listener)
  return () => sessionListeners.delete(listener)
}
