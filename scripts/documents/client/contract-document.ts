import {
  createApp,
  createLogger,
  type Dialect,
  type FrameworkErrors,
  fixedApiKeys,
  type RateLimiting,
  type RouteShape,
  serve,
} from '@chancela/service-kernel/http'
import type { SurfaceDefinition } from '@chancela/service-kernel/service'
import type { OpenApiDocument } from './openapi.ts'

/** A service's contract, without its implementation. */
export interface Contract {
  readonly surface: SurfaceDefinition
  readonly dialect: Dialect
  readonly vocabulary: Readonly<Record<string, { readonly status: number; readonly message: string }>>
  readonly frameworkErrors: FrameworkErrors<string>
}

const PATH = '/openapi.json'

/** The OpenAPI document of an app with these routes; nothing is opened and nothing listens. */
export async function contractDocument(contract: Contract, routes: readonly RouteShape[]): Promise<OpenApiDocument> {
  const { surface, dialect, vocabulary, frameworkErrors } = contract
  const app = await createApp({
    service: { name: surface.name, title: surface.title['en-US'], version: '0' },
    dialect,
    vocabulary,
    frameworkErrors,
    environment: 'production',
    logger: createLogger({ service: surface.name, level: 'error' }),
    accessLog: false,
    // A limit, so that the document includes the response of a busy server.
    settings: { maxRunning: 1 },
    rateLimits: limitsOf(routes),
    keys: { ring: fixedApiKeys({}), ...(surface.apiKey && { headers: [surface.apiKey.header] }) },
    openApi: { path: PATH },
  })
  try {
    for (const route of routes) serve(app, route, nobodyCalls)
    return (await app.inject(PATH)).json()
  } finally {
    await app.close()
  }
}

/** Some limit for each policy the routes are under, for the same reason. */
const limitsOf = (routes: readonly RouteShape[]): RateLimiting =>
  Object.fromEntries(
    routes.flatMap(({ policy }) => (policy ? [[policy, { PermitsPerWindow: 1, WindowSeconds: 1 }]] : [])),
  )

function nobodyCalls(): never {
  throw new Error('A contract is described, not served.')
}
