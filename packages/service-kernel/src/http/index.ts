export type { Tolerance } from './absent-values.ts'
export type { AccessScheme } from './access.ts'
export {
  type ApiKey,
  apiKeyErrors,
  createApplication,
  createKey,
  disableApplication,
  enableApplication,
  listApplications,
  listKeys,
  type NewKey,
  revokeKey,
} from './api-keys/manage.ts'
export {
  type ApiKeyCaller,
  type ApiKeyRing,
  fixedApiKeys,
  openApiKeyRing,
  type StoredApiKeyRing,
} from './api-keys/ring.ts'
export type { KeyForm } from './api-keys/secret.ts'
export { type ApiKeyTables, apiKeyMigrations } from './api-keys/tables.ts'
export { type App, createApp, loadOf } from './app.ts'
export type {
  AppOptions,
  CallersOf,
  HttpSettings,
  Observation,
  OpenApiOptions,
  SchemeCallers,
  ServiceInfo,
} from './app-options.ts'
export type { Call, Handler } from './call.ts'
export { clientAddress } from './client-address.ts'
export { attachment, inline } from './content-disposition.ts'
export { type CookieSessions, cookieSessions } from './cookie-sessions.ts'
export { isHttps, isToken, readCookie, setCookie } from './cookies.ts'
export {
  type Dialect,
  type FailureContext,
  JSON_TYPE,
  PROBLEM_TYPE,
  type RenderedFailure,
  rendered,
} from './dialects/dialect.ts'
export { errorEnvelope } from './dialects/error-envelope.ts'
export { problemDetails } from './dialects/problem-details.ts'
export { statusType } from './dialects/problem-types.ts'
export { type DrainReport, drain } from './drain.ts'
export { escapeHtml } from './escape-html.ts'
export type { Failure, FrameworkErrors } from './failure.ts'
export { htmlDocument, scriptlessPage } from './html-document.ts'
export { readJsonWithBytes } from './json-with-bytes.ts'
export { flushLogs } from './log-buffer.ts'
export { createLogger, type Logger, type LoggerOptions } from './logger.ts'
export {
  type FilePart,
  type MultipartOptions,
  type MultipartResult,
  readMultipart,
  readMultipartFiles,
} from './multipart.ts'
export type { RateLimiting, RateLimitPolicy } from './rate-limits.ts'
export { type RouteShape, route } from './route.ts'
export { isSameOrigin } from './same-origin.ts'
export { routesOf, serve } from './serve.ts'
export { routeUpgrades, type TakenConnection, takeConnection } from './upgrades.ts'
