import type { FastifyReply, FastifyRequest } from 'fastify'
import { type FrameworkFailure, FrameworkProblem, passingTrouble, Refusal } from '../../errors/index.ts'
import type { FailureContext, RenderedFailure } from '../dialects/dialect.ts'
import { exchangeOf } from '../exchange.ts'
import type { Failure } from '../failure.ts'
import type { Kernel } from '../kernel.ts'

/** Answers an error in the service's dialect and code. Nothing of an unexpected error reaches the caller. */
export function answerFailure(kernel: Kernel, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = frameworkProblem(kernel, error, request) ?? error
  const failure = kernel.failures.of(problem)
  exchangeOf(request).failureCode = failure.code
  logCause(kernel, failure, error, request)
  if (!kernel.draining) keepConnection(reply)
  const page = isUnknown(problem) ? kernel.unknownPage(request) : undefined
  if (page) reply.code(failure.status).headers(page.headers).send(page.page)
  else send(reply, failure, renderFailure(kernel, failure, contextOf(kernel, request, error)))
}

const isUnknown = (problem: unknown): boolean => problem instanceof FrameworkProblem && problem.kind === 'unknown-route'

/** Formats a failure; details that cannot be serialized are left out, not the response. */
export function renderFailure(kernel: Kernel, failure: Failure, context: FailureContext): RenderedFailure {
  try {
    return kernel.dialect.render(failure, context)
  } catch (error) {
    kernel.logger.error({ err: error, correlationId: context.correlationId }, 'error details are not serializable')
    return kernel.dialect.render({ ...failure, details: undefined }, context)
  }
}

function send(reply: FastifyReply, { status, headers }: Failure, { contentType, body }: RenderedFailure): void {
  reply.code(status).headers(headers ?? {})
  if (contentType) reply.header('content-type', contentType).send(body)
  else reply.send()
}

// Fastify closes the connection after a body it could not parse; a client still sending would lose the response to a
// reset. Kept open, Node reads on and discards until the request timeout, and the response arrives.
const keepConnection = (reply: FastifyReply): void => void reply.removeHeader('connection')

const contextOf = (kernel: Kernel, request: FastifyRequest, error: unknown): FailureContext => ({
  correlationId: request.id,
  path: request.url.split('?', 1)[0]!,
  environment: kernel.environment,
  error,
})

// Refusals concern the caller and are in the access log; their causes, and bugs, concern the operator.
function logCause(kernel: Kernel, failure: Failure, error: unknown, { id: correlationId }: FastifyRequest): void {
  if (failure.kind === 'internal' || passingTrouble(error))
    kernel.logger.error({ err: error, correlationId }, 'request failed')
  else if (error instanceof Refusal && failure.status >= 500)
    kernel.logger.error({ err: error.cause ?? error, code: error.code, correlationId }, 'request refused')
}

const fastifyCodes: Readonly<Record<string, FrameworkFailure>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_REQ_FILE_TOO_LARGE: 'body-too-large',
  FST_PARTS_LIMIT: 'body-too-large',
  FST_FILES_LIMIT: 'body-too-large',
  FST_FIELDS_LIMIT: 'body-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported-media-type',
  FST_ERR_NOT_FOUND: 'unknown-route',
  FST_ERR_BAD_URL: 'unknown-route',
  FST_ERR_MAX_PARAM_LENGTH: 'unknown-route',
}

/** Maps errors of Fastify and its plugins to framework problems. Other errors may not set their own status. */
function frameworkProblem(kernel: Kernel, error: unknown, request: FastifyRequest): FrameworkProblem | undefined {
  if (request.raw.destroyed && !request.raw.complete) return new FrameworkProblem('malformed-request', { cause: error })
  const { code, statusCode = 500 } = error as { code?: unknown; statusCode?: number }
  // The code of a DOMException is a number.
  if (typeof code !== 'string') return undefined
  const kind = fastifyCodes[code]
  if (kind === 'body-too-large') return tooLarge(kernel, request)
  if (kind) return new FrameworkProblem(kind, { cause: error, ...(kind === 'unsupported-media-type' && mediaField) })
  if (!code.startsWith('FST_') || statusCode >= 500) return undefined
  return new FrameworkProblem('malformed-request', { cause: error })
}

const mediaField = { details: { field: 'Content-Type' } }

/** Both sizes (spec 1 A, Errors: DOCUMENT_TOO_LARGE). Of one that was not declared it is known only that it is longer. */
function tooLarge(kernel: Kernel, request: FastifyRequest): FrameworkProblem {
  const limitBytes = exchangeOf(request).route?.route.bodyLimitBytes ?? kernel.bodyLimitBytes
  const declared = request.raw.headers['content-length']
  const sizeBytes = declared === undefined ? limitBytes + 1 : Number(declared)
  return new FrameworkProblem('body-too-large', { details: { limitBytes, sizeBytes } })
}
