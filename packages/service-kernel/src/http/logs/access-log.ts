import type { FastifyReply, FastifyRequest } from 'fastify'
import { symbols } from 'pino'
import type { ApiKeyCaller } from '../api-keys/ring.ts'
import { clientAddress } from '../client-address.ts'
import { type Exchange, templateOf } from '../exchange.ts'
import { isoNow, type Logger } from './logger.ts'
import { withoutPeople } from './people.ts'
import { isSensitive, MASK } from './sensitive-names.ts'

/** Writes one line per request: the request, the status, the duration; no header, no body, no secret. */
export type AccessLog = (request: FastifyRequest, reply: FastifyReply, exchange: Exchange) => void

type Level = 'info' | 'warn' | 'error'

/**
 * The access log of an app. It builds its line itself instead of using the logger, which halves the cost of logging a
 * request; it writes to the logger's own destination, with the logger's fields and level.
 */
export function accessLog(logger: Logger): AccessLog {
  const { [symbols.streamSym]: stream, [symbols.chindingsSym]: bindings } = logger as unknown as PinoState
  return (request, reply, exchange) => {
    const level = levelOf(reply)
    if (!logger.isLevelEnabled(level)) return
    stream.write(
      `{"level":"${level}","time":"${isoNow()}"${bindings},"correlationId":"${request.id}"${lineOf(request, reply, exchange)},"msg":"request"}\n`,
    )
  }
}

interface PinoState {
  readonly [symbols.streamSym]: { write(line: string): void }
  /** The logger's own fields, already JSON: `,"service":"batch-signer"`. */
  readonly [symbols.chindingsSym]: string
}

function lineOf(request: FastifyRequest, reply: FastifyReply, exchange: Exchange): string {
  const { caller, failureCode, arrivedAt } = exchange
  const template = templateOf(request, exchange)
  const { application } = (caller ?? {}) as Partial<ApiKeyCaller>
  const { statusCode, writableEnded } = reply.raw
  const milliseconds = Math.round((performance.now() - arrivedAt) * 100) / 100
  let line = `,"method":"${request.raw.method}"`
  if (template) line += `,"route":${JSON.stringify(template)}`
  line += `,"url":${JSON.stringify(loggedUrl(request, exchange))}`
  line += writableEnded ? `,"status":${statusCode}` : ',"aborted":true'
  if (failureCode !== undefined) line += `,"code":${JSON.stringify(failureCode)}`
  line += `,"ms":${milliseconds},"client":"${clientAddress(request)}"`
  if (typeof application === 'string') line += `,"application":${JSON.stringify(application)}`
  return line
}

function levelOf({ raw: { statusCode, writableEnded } }: FastifyReply): Level {
  if (!writableEnded) return 'warn'
  return statusCode >= 500 ? 'error' : statusCode >= 400 ? 'warn' : 'info'
}

// Longer URLs are truncated: a log line is for people, and a path may be 16 KiB long.
const LONGEST_URL = 500

function loggedUrl(request: FastifyRequest, { route }: Exchange): string {
  const url = request.raw.url ?? ''
  const mark = url.indexOf('?')
  const path = route ? route.loggedPath(request.params) : unknownPath(mark < 0 ? url : url.slice(0, mark))
  const shown = mark < 0 ? withoutPeople(path) : `${withoutPeople(path)}?${loggedQuery(url.slice(mark + 1))}`
  return shown.length > LONGEST_URL ? `${shown.slice(0, LONGEST_URL)}…` : shown
}

const loggedQuery = (query: string): string => query.split('&').map(loggedParameter).join('&')

function loggedParameter(parameter: string): string {
  const equals = parameter.indexOf('=')
  if (equals < 0) return parameter
  const name = parameter.slice(0, equals)
  return isSensitive(decoded(name)) || isOfPerson(decoded(parameter.slice(equals + 1))) ? `${name}=${MASK}` : parameter
}

/** Whoever searches for people gives their addresses and CPFs. */
const isOfPerson = (value: string): boolean => withoutPeople(value) !== value

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // an invalid encoding is checked as it is
  }
}

// In an unknown path, a mistyped address may contain an identifier that grants access elsewhere.
const unknownPath = (path: string): string => path.replace(/[^/]{20,}/g, MASK)
