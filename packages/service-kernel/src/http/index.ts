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
export { type App, answerUnknownWith, certificateOf, createApp, loadOf } from './app.ts'
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
export { clientAddress, clientNetwork, clientOf } from './client-address.ts'
export { type CookieSessions, cookieSessions, LONGEST_SESSION } from './cookies/cookie-sessions.ts'
export { isToken, readCookie, setCookie } from './cookies/cookies.ts'
export { createEndedSessions, type EndedSessionTables, endedSessions } from './cookies/ended-sessions.ts'
export {
  type CookieSessionRow,
  createListedSessions,
  endSession,
  endSessionsOf,
  type ListedSessions,
  type ListedSessionTables,
  type LiveSession,
  listedSessions,
  listSessions,
  noteProof,
} from './cookies/listed-sessions.ts'
export { isSameOrigin } from './cookies/same-origin.ts'
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
export type { Failure, FrameworkErrors } from './failure.ts'
export type { Tolerance } from './input/absent-values.ts'
export { bodyPieces } from './input/body-pieces.ts'
export { readJsonWithBytes } from './input/json-with-bytes.ts'
export {
  type FilePart,
  type MultipartOptions,
  type MultipartResult,
  readMultipart,
  readMultipartFiles,
} from './input/multipart.ts'
export { type DrainReport, drain } from './limits/drain.ts'
export type { RateLimiting, RateLimitPolicy } from './limits/rate-limits.ts'
export { flushLogs } from './logs/log-buffer.ts'
export { createLogger, type Logger, type LoggerOptions } from './logs/logger.ts'
export { attachment, inline } from './output/content-disposition.ts'
export { escapeHtml } from './output/escape-html.ts'
export { htmlDocument, scriptlessPage } from './output/html-document.ts'
export { mediaTypeOrAny } from './output/media-type.ts'
export { type RouteShape, route } from './route.ts'
export { routesOf, serve } from './serve.ts'
export { routeUpgrades, type TakenConnection, takeConnection } from './upgrades.ts'
