import type { KernelSettings } from '../config/index.ts'
import type { ErrorVocabulary } from '../errors/index.ts'
import {
  type ApiKeyRing,
  type ApiKeyTables,
  type App,
  type AppOptions,
  type CallersOf,
  createApp,
  type HttpSettings,
  type Observation,
  openApiKeyRing,
  type RateLimiting,
  type SchemeCallers,
  type StoredApiKeyRing,
} from '../http/index.ts'
import { httpMetrics, type Metrics } from '../metrics/index.ts'
import type { ServedCertificate } from '../tls/index.ts'
import type { ServiceContext, StatelessContext, SurfaceDefinition } from './definition.ts'
import { isHttps, isLoopback, openCertificate } from './transport.ts'

/** Options that come from the context, the settings or the surface's definition. */
type Known =
  | 'service'
  | 'environment'
  | 'logger'
  | 'clock'
  | 'settings'
  | 'accessLog'
  | 'observe'
  | 'rateLimits'
  | 'openApi'
  | 'keys'

/** The remaining options of one of a service's apps. */
export interface SurfaceAppOptions<V extends ErrorVocabulary, C extends SchemeCallers>
  extends Omit<AppOptions<V, C>, Known> {
  readonly surface: SurfaceDefinition
  /** Version of the OpenAPI document, where a contract fixes one. Default: the build's. */
  readonly contractVersion?: string
  /** Introduction of the OpenAPI document; Markdown. */
  readonly description?: string
  /** The service's API keys, for a surface that takes them. */
  readonly ring?: ApiKeyRing
  /** False serves neither document nor reference page, regardless of OpenApi:Enabled. Default true. */
  readonly reference?: boolean
}

/** Builds the app of a surface: logged, measured and limited by the settings, with its reference where declared. */
export async function createSurfaceApp<const V extends ErrorVocabulary, C extends SchemeCallers = Record<never, never>>(
  context: StatelessContext,
  { surface, contractVersion, description, ring, reference = true, ...own }: SurfaceAppOptions<V, C>,
): Promise<App<keyof V & string, CallersOf<C>>> {
  const settings = context.settings as Omit<KernelSettings, 'Database' | 'Secrets'>
  const { name, title } = surface
  const section = sectionOf(context.settings, surface)
  const options: Pick<AppOptions<V, C>, Known> = {
    service: {
      name,
      title: title['en-US'],
      version: contractVersion ?? context.version,
      ...(description !== undefined && { description }),
    },
    environment: settings.Environment,
    logger: context.logger,
    clock: context.clock,
    settings: httpSettings(section, await openCertificate(context.service, surface, section, context.dataFolder)),
    accessLog: settings.Log.Access,
    observe: observeIn(context.metrics),
    rateLimits: settings.RateLimiting as RateLimiting,
    ...openApiOf(surface, settings.OpenApi.Enabled && reference),
    ...(ring && { keys: { ring, ...(surface.apiKey && { headers: [surface.apiKey.header] }) } }),
  }
  return createApp<V, C>({ ...own, ...options } as AppOptions<V, C>)
}

/** Opens the API keys of a service; they are closed with it. */
export async function openKeys<Tables extends ApiKeyTables>(
  context: Pick<ServiceContext<unknown, Tables>, 'store' | 'clock' | 'logger' | 'closing'>,
): Promise<StoredApiKeyRing> {
  const { store, clock, logger, closing } = context
  const onProblem = (error: unknown) => logger.error({ err: error }, 'API keys could not be loaded')
  const ring = await openApiKeyRing(store, { clock, onProblem })
  closing.add('the API keys', () => ring.close())
  return ring
}

/** The settings of a surface: address and limits. */
export const sectionOf = (settings: unknown, { section }: SurfaceDefinition): KernelSettings['Http'] =>
  (settings as Record<string, KernelSettings['Http']>)[section]!

const httpSettings = (section: KernelSettings['Http'], tls: ServedCertificate | undefined): HttpSettings => ({
  ...(tls && { tls }),
  bodyLimitBytes: section.BodyLimitBytes,
  trustedProxies: section.TrustedProxies,
  maxRunning: section.MaxRunning,
  maxQueued: section.MaxQueued,
  requestTimeoutSeconds: section.RequestTimeoutSeconds,
  securePublicUrl: isHttps(section.PublicUrl),
  strictTransport:
    section.StrictTransport ?? (isHttps(section.PublicUrl) || (tls !== undefined && !isLoopback(section.Host))),
})

function openApiOf({ openApiPath, referencePath }: SurfaceDefinition, enabled: boolean) {
  if (openApiPath === undefined) return {}
  return { openApi: { path: openApiPath, enabled, ...(referencePath !== undefined && { referencePath }) } }
}

/** A client that disconnected before its response is counted under 499, as proxies do. */
function observeIn(metrics: Metrics) {
  const { observe } = httpMetrics(metrics)
  return ({ route = 'none', method, status = 499, seconds }: Observation) => observe(route, method, status, seconds)
}
