import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, systemClock } from '../clock/index.ts'
import type { ErrorVocabulary } from '../errors/index.ts'
import { LANGUAGES, negotiate } from '../i18n/index.ts'
import type { AccessScheme } from './access.ts'
import { keyScheme } from './api-keys/key-scheme.ts'
import type { AppOptions, HttpSettings, Observation, SchemeCallers, ServiceInfo } from './app-options.ts'
import type { Dialect } from './dialects/dialect.ts'
import { type Failures, failures, type Vocabulary } from './failure.ts'
import type { Tolerance } from './input/absent-values.ts'
import { LoadGate } from './limits/load-shedding.ts'
import { rateLimits } from './limits/rate-limits.ts'
import { type AccessLog, accessLog } from './logs/access-log.ts'
import type { Logger } from './logs/logger.ts'
import { securityHeaders } from './output/security-headers.ts'
import type { ServedRoute } from './served-route.ts'

/** The state behind one app: its prepared options, and what is in progress. */
export interface Kernel {
  readonly service: ServiceInfo
  readonly environment: 'development' | 'production'
  readonly dialect: Dialect
  readonly vocabulary: Vocabulary
  readonly failures: Failures
  readonly logger: Logger
  /** Writes the log line of each request; undefined when switched off. */
  readonly accessLog: AccessLog | undefined
  readonly clock: Clock
  readonly settings: HttpSettings
  readonly bodyLimitBytes: number
  readonly headers: ReturnType<typeof securityHeaders>
  readonly correlationHeader: string
  readonly exactCookies: readonly string[]
  readonly schemes: Readonly<Record<string, AccessScheme>>
  readonly limits: ReturnType<typeof rateLimits>
  readonly defaultPolicy: string | undefined
  readonly gate: LoadGate
  readonly tolerance: Tolerance
  readonly tellsUnknownFields: boolean
  readonly refusesUnknownNames: boolean
  readonly observe: ((observation: Observation) => void) | undefined
  readonly negotiateLocale: (acceptLanguage: string | undefined) => string
  readonly routes: ServedRoute[]
  readonly inFlight: Set<FastifyReply>
  readonly servers: Server[]
  /** Connections that are open. */
  readonly sockets: Set<Socket>
  draining: boolean
  /** A page for whoever asks for an address where nothing is; undefined for programs. */
  unknownPage: (request: FastifyRequest) => AnsweredPage | undefined
}

interface AnsweredPage {
  readonly page: string
  readonly headers: Readonly<Record<string, string>>
}

const MEBIBYTE = 1024 * 1024

export function createKernel<V extends ErrorVocabulary, C extends SchemeCallers>(options: AppOptions<V, C>): Kernel {
  const { clock = systemClock, settings = {}, keys } = options
  return {
    service: options.service,
    environment: options.environment,
    dialect: options.dialect,
    vocabulary: options.vocabulary,
    failures: failures(options.vocabulary, options.frameworkErrors, options.frameworkStatuses),
    logger: options.logger,
    accessLog: options.accessLog === false ? undefined : accessLog(options.logger),
    clock,
    settings,
    bodyLimitBytes: settings.bodyLimitBytes ?? MEBIBYTE,
    headers: securityHeaders({
      strictTransport: settings.strictTransport,
      pagePolicy: options.pages?.contentSecurityPolicy,
      overrides: options.headers,
    }),
    correlationHeader: options.correlationHeader ?? 'X-Correlation-Id',
    exactCookies: options.exactCookies ?? [],
    schemes: { ...(keys && { key: keyScheme(keys) }), ...options.schemes },
    limits: rateLimits(options.rateLimits, clock),
    defaultPolicy: options.defaultPolicy,
    gate: new LoadGate(settings),
    tolerance: options.tolerance ?? {},
    tellsUnknownFields: options.tellsUnknownFields === true,
    refusesUnknownNames: options.refusesUnknownNames === true,
    observe: options.observe,
    negotiateLocale: options.negotiateLocale ?? ((header) => negotiate(header, LANGUAGES, 'en-US')),
    routes: [],
    inFlight: new Set(),
    servers: [],
    sockets: new Set(),
    draining: false,
    unknownPage: () => undefined,
  }
}
