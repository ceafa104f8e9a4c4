import type { Clock } from '../clock/index.ts'
import type { ErrorVocabulary } from '../errors/index.ts'
import type { ServedCertificate } from '../tls/index.ts'
import type { AccessScheme } from './access.ts'
import type { KeyOptions } from './api-keys/key-scheme.ts'
import type { ApiKeyCaller } from './api-keys/ring.ts'
import type { Dialect } from './dialects/dialect.ts'
import type { FrameworkErrors, FrameworkStatuses } from './failure.ts'
import type { Tolerance } from './input/absent-values.ts'
import type { LoadLimits } from './limits/load-shedding.ts'
import type { RateLimiting } from './limits/rate-limits.ts'
import type { Logger } from './logs/logger.ts'
import type { HeaderOverrides } from './output/security-headers.ts'

export interface ServiceInfo {
  /** Folder name of the service: `batch-signer`. */
  readonly name: string
  /** Name for people, and title of the OpenAPI document. */
  readonly title: string
  readonly version: string
  readonly description?: string
}

/** The HTTP server, as the settings give it: its limits and its certificate. */
export interface HttpSettings extends LoadLimits {
  /** The certificate to serve TLS with. Default: plain HTTP. */
  readonly tls?: ServedCertificate
  /** Largest body of a route that sets no limit of its own. Default 1 MiB. */
  readonly bodyLimitBytes?: number
  /** Proxies whose X-Forwarded-For is believed: addresses, CIDR ranges, `loopback`. Default none. */
  readonly trustedProxies?: readonly string[]
  /** True when the public URL is https: whatever a connection is, browsers came over TLS. Default false. */
  readonly securePublicUrl?: boolean
  /** Adds Strict-Transport-Security: browsers then use nothing but TLS with this host. Default false. */
  readonly strictTransport?: boolean
  /** Seconds for a client to send all headers. Default 15. */
  readonly headersTimeoutSeconds?: number
  /** Seconds for a client to send a whole request, waiting for a slot included. Default 120. */
  readonly requestTimeoutSeconds?: number
  /** Seconds an idle connection is kept; longer than the usual 60 of a proxy in front. Default 65. */
  readonly keepAliveTimeoutSeconds?: number
  /** Largest header block, in bytes. Default 16 KiB. */
  readonly maxHeaderBytes?: number
}

export interface OpenApiOptions {
  /** Where the document is served, such as `/openapi/v1.json`. */
  readonly path: string
  /** Where the page for people is served, such as `/scalar/v1`; no page when absent. */
  readonly referencePath?: string
  /** Default true. */
  readonly enabled?: boolean
}

/** What an app reports of every answered request, for metrics. */
export interface Observation {
  readonly method: string
  /** Template of the route; undefined for a request that matched none. */
  readonly route: string | undefined
  /** Undefined when the client disconnected before the response was sent. */
  readonly status: number | undefined
  readonly seconds: number
}

/** The callers of each further access scheme, by its name. */
export type SchemeCallers = Record<string, unknown>

export interface AppOptions<V extends ErrorVocabulary, C extends SchemeCallers> {
  readonly service: ServiceInfo
  /** How failures are written. */
  readonly dialect: Dialect
  /** Every code the service may answer. */
  readonly vocabulary: V
  /** The service's code for each failure of the framework. */
  readonly frameworkErrors: FrameworkErrors<keyof V & string>
  /** Other statuses than those of HTTP, for failures of the framework. */
  readonly frameworkStatuses?: FrameworkStatuses
  readonly environment: 'development' | 'production'
  readonly logger: Logger
  /** Default: the machine's time. */
  readonly clock?: Clock
  readonly settings?: HttpSettings
  /** API keys; needed as soon as one route keeps the default access `key`. */
  readonly keys?: KeyOptions
  /** Further ways of access by name; one named `key` replaces the API keys. */
  readonly schemes?: { readonly [Name in keyof C]: AccessScheme<C[Name]> }
  readonly rateLimits?: RateLimiting
  /** Policy of the routes that name none. */
  readonly defaultPolicy?: string
  readonly openApi?: OpenApiOptions
  readonly tolerance?: Tolerance
  /**
   * Whether fields of a JSON body that the route does not know are named: in a `Warning` header of the answer and in the
   * log, names only. Default false: they are ignored.
   */
  readonly tellsUnknownFields?: boolean
  /**
   * Whether names of the query and of a JSON body that the route does not know are refused, as validation refuses a wrong
   * value; on anonymous routes they never are. Default false.
   */
  readonly refusesUnknownNames?: boolean
  /** Content security policy of routes with `page: true`. */
  readonly pages?: { readonly contentSecurityPolicy?: string }
  /** Security headers to change, or to leave out with `false`. */
  readonly headers?: HeaderOverrides
  /** Names of cookies that stay as they are over TLS, where others get the prefix `__Host-`. Default none. */
  readonly exactCookies?: readonly string[]
  /** Header that carries the correlation id. Default `X-Correlation-Id`. */
  readonly correlationHeader?: string
  /** False writes no line per request. Default true. */
  readonly accessLog?: boolean
  readonly observe?: (observation: Observation) => void
  /** The language of an Accept-Language header. Default: the suite's languages, `en-US` first. */
  readonly negotiateLocale?: (acceptLanguage: string | undefined) => string
}

/** Callers by kind of access. */
export type CallersOf<C extends SchemeCallers> = Omit<{ key: ApiKeyCaller; anonymous: undefined }, keyof C> & C
