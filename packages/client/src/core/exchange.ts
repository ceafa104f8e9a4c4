import { bounded, type Signals, TimedOut } from './cancellation.ts'
import { ChancelaConnectionError, ChancelaError, isProblem } from './errors.ts'
import { contentOf, isRepeatable, type Operation } from './operation.ts'
import type { Fetch } from './options.ts'
import type { Service } from './service.ts'

/** An answer with the id of the request that brought it. */
export interface Answered<T> {
  readonly answer: T
  readonly correlationId: string | undefined
}

/** A request that can be sent, and sent again. */
export interface Exchange {
  readonly name: string
  readonly operation: Operation
  readonly url: string
  readonly init: RequestInit
  readonly signals: Signals
  readonly timeoutMs: number
}

/** Sends a request and reads its answer. A failure is an error of this client, or the caller's abort reason. */
export async function exchanged(service: Service, fetch: Fetch, exchange: Exchange): Promise<Answered<unknown>> {
  const { url, init, signals, timeoutMs } = exchange
  try {
    return await bounded(signals, timeoutMs, async (signal) =>
      answerIn(service, exchange, await fetch(url, { ...init, signal })),
    )
  } catch (error) {
    if (isProblem(error) || signals.some(({ aborted }) => aborted)) throw error
    throw noAnswer(exchange, error instanceof TimedOut ? 'timed-out' : 'unreachable', { cause: error })
  }
}

async function answerIn(service: Service, exchange: Exchange, response: Response): Promise<Answered<unknown>> {
  const correlationId = response.headers.get(service.headers.correlationId) ?? undefined
  if (!response.ok) throw await refusalIn(service, exchange, response, correlationId)
  const content = await contentOf(exchange.operation, response)
  if (!content) throw noAnswer(exchange, 'not-understood', { status: response.status })
  return { answer: content.value, correlationId }
}

async function refusalIn(
  service: Service,
  exchange: Exchange,
  response: Response,
  correlationId: string | undefined,
): Promise<Error> {
  const { status } = response
  const refusal = service.refusalIn({ status, text: await response.text() })
  if (!refusal) return noAnswer(exchange, 'not-understood', { status })
  const origin = { operation: exchange.name, status, correlationId }
  return new ChancelaError(refusal, origin, service.retryable.has(refusal.code))
}

const noAnswer = (
  { name, operation }: Exchange,
  reason: ChancelaConnectionError['reason'],
  more: { readonly status?: number; readonly cause?: unknown },
) => new ChancelaConnectionError(reason, { ...more, operation: name, isRetryable: isRepeatable(operation) })
