import type { ErrorVocabulary } from '@chancela/service-kernel/errors'
import { errorEnvelope, type FrameworkErrors } from '@chancela/service-kernel/http'
import { createSurfaceApp, type ServiceContext, type SurfaceDefinition } from '@chancela/service-kernel/service'
import type { AdministratorTables } from './administrator-table.ts'
import type { ConsoleApp } from './console-app.ts'
import { administratorStore, type ConsoleContext } from './console-context.ts'
import { consoleSchemes } from './console-schemes.ts'
import { ConsoleSessions } from './console-sessions.ts'
import type { CommonConsoleErrorCode, CommonRight, ConsoleRight, commonConsoleErrors } from './contract/index.ts'
import { enabledProvider, watchProvider } from './identity-provider.ts'
import { serveAdministrators } from './serve-administrators.ts'
import { serveSession } from './serve-session.ts'
import type { ConsoleSettings } from './settings.ts'

/** The codes of a console: the common ones, unchanged, and the service's own. */
type ConsoleVocabulary = typeof commonConsoleErrors & ErrorVocabulary

interface ConsoleAppOptions<V extends ConsoleVocabulary, Right extends string> {
  readonly surface: SurfaceDefinition
  readonly vocabulary: V
  /** Those of every console and the service's own; each is the access of routes. */
  readonly rights: Readonly<Record<Right, ConsoleRight>>
}

/** The code for each failure of the framework. */
const frameworkErrors: FrameworkErrors<CommonConsoleErrorCode> = {
  'invalid-json': 'INVALID_REQUEST',
  validation: 'INVALID_REQUEST',
  'unsupported-media-type': 'INVALID_REQUEST',
  'body-too-large': 'INVALID_REQUEST',
  'unknown-route': 'ENDPOINT_NOT_FOUND',
  unauthorized: 'UNAUTHORIZED',
  'rate-limited': 'TOO_MANY_REQUESTS',
  busy: 'SERVER_BUSY',
  internal: 'INTERNAL_ERROR',
}

/** Builds the app of a console, with the routes for sessions and administrators. */
export async function createConsoleApp<
  const V extends ConsoleVocabulary,
  Right extends string,
  Tables extends AdministratorTables,
>(
  context: ServiceContext<ConsoleSettings, Tables>,
  { surface, vocabulary, rights }: ConsoleAppOptions<V, Right | CommonRight>,
): Promise<ConsoleApp<keyof V & string, Right | CommonRight>> {
  const own: ConsoleContext = { ...context, store: administratorStore(context.store) }
  const sessions = new ConsoleSessions(own)
  const app = await createSurfaceApp(context, {
    surface,
    dialect: errorEnvelope,
    vocabulary,
    frameworkErrors,
    schemes: consoleSchemes(sessions, own.settings.Auth, rights),
  })
  const common = app as unknown as ConsoleApp
  serveSession(common, own, sessions, rights)
  serveAdministrators(common, own)
  watchProvider(context, enabledProvider(own.settings.Oidc, own.clock))
  return app as unknown as ConsoleApp<keyof V & string, Right | CommonRight>
}
