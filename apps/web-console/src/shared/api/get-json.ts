/** Why an answer is missing: the server is unreachable, it refused, or the answer is not JSON. */
export type FailureReason = { kind: 'unreachable' } | { kind: 'refused'; status: number } | { kind: 'unreadable' }

/** A request that brought no data. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly reason: FailureReason

  constructor(reason: FailureReason, options?: ErrorOptions) {
    super(`No data: ${reason.kind}`, options)
    this.reason = reason
  }
}

// A server that accepts and never answers would otherwise freeze the page on its last data without notice.
const DEFAULT_TIMEOUT_SECONDS = 10

export interface GetOptions {
  /** Cancels the request, for a caller that no longer waits. */
  signal?: AbortSignal
  /** How long to wait for the whole answer; default 10 s. */
  timeoutSeconds?: number
}

/** Reads JSON from the server, or throws an `ApiFailure` saying why there is none. */
export async function getJson<Answer>(address: string, options: GetOptions = {}): Promise<Answer> {
  const response = await request(address, options)
  if (!response.ok) throw new ApiFailure({ kind: 'refused', status: response.status })
  return parse(await readBody(response, options)) as Answer
}

async function request(address: string, { signal, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS }: GetOptions) {
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
  const init = {
    headers: { accept: 'application/json' },
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }
  return fetch(address, init).catch((cause) => unreachable(cause, signal))
}

const readBody = (response: Response, { signal }: GetOptions) =>
  response.text().catch((cause) => unreachable(cause, signal))

function unreachable(cause: unknown, signal: AbortSignal | undefined): never {
  // A cancellation by the caller is no failure of the server.
  if (signal?.aborted) throw cause
  throw new ApiFailure({ kind: 'unreachable' }, { cause })
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new ApiFailure({ kind: 'unreadable' }, { cause })
  }
}
