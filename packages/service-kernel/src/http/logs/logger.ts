import { type DestinationStream, type Logger as PinoLogger, pino, stdSerializers } from 'pino'
import { isoText, systemClock } from '../../clock/index.ts'
import { LogBuffer } from './log-buffer.ts'
import { withoutPeople } from './people.ts'
import { isSensitive, MASK } from './sensitive-names.ts'

/** What logs: one JSON object per line. */
export type Logger = PinoLogger

export interface LoggerOptions {
  /** Name under which the lines appear. */
  readonly service: string
  /** Least important level written. Default `info`. */
  readonly level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  /** File to append to; standard output when absent. */
  readonly file?: string
  /** Characters buffered before a write, for at most a second; 0 writes every line at once. Default 65536. */
  readonly bufferCharacters?: number
  /** Where lines go instead of a file, for tests and embedding. */
  readonly destination?: DestinationStream
}

/**
 * A logger that never waits for the disk, masks every field whose name says that it is a secret, shortens every mail
 * address and hides every CPF, also in what an error says: a server that refuses a mail quotes the recipient, and names of
 * tokens and certificates have CPFs.
 */
export function createLogger(options: LoggerOptions): Logger {
  const { service, level = 'info', file, bufferCharacters = 64 * 1024 } = options
  return pino(
    {
      level,
      base: { service },
      timestamp: () => `,"time":"${isoNow()}"`,
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
      serializers: { err: (error: unknown) => shortened(stdSerializers.err(error as Error), 0) },
    },
    options.destination ?? new LogBuffer(file, bufferCharacters),
  )
}

/** The machine's time as ISO 8601. */
export const isoNow = (): string => isoText(systemClock())

// Deep enough for what is logged on purpose; a deeper object is masked whole.
const DEEPEST = 5

const withoutSecrets = (fields: Record<string, unknown>): Record<string, unknown> =>
  masked(fields, 0) as Record<string, unknown>

function masked(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return depth < DEEPEST ? value.map((item) => masked(item, depth + 1)) : MASK
  if (typeof value === 'string') return withoutPeople(value)
  if (!isPlain(value)) return value
  if (depth === DEEPEST) return MASK
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) copy[name] = hides(name) ? MASK : masked(value[name], depth + 1)
  return copy
}

/** What an error says, with the fields it carries; deeper ones are left out. */
function shortened(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return withoutPeople(value)
  if (value === null || typeof value !== 'object') return value
  if (depth === DEEPEST) return undefined
  if (Array.isArray(value)) return value.map((item) => shortened(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortened(item, depth + 1)]))
}

// Errors, dates and buffers use pino's own serializers.
const isPlain = (value: unknown): value is Record<string, unknown> => {
  if (value === null || typeof value !== 'object') return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const known = new Map<string, boolean>()
const MOST_KNOWN = 1000

// Field names come from the code and are few; the limit only bounds objects with foreign names.
function hides(name: string): boolean {
  const remembered = known.get(name)
  if (remembered !== undefined) return remembered
  const sensitive = isSensitive(name) && !PLAIN_FIELDS.has(name)
  if (known.size < MOST_KNOWN) known.set(name, sensitive)
  return sensitive
}

// The suite's names of fields that look like a secret but are none.
const PLAIN_FIELDS = new Set(['code', 'keyId', 'state', 'statusCode', 'errorCode', 'exitCode'])
