import type { SurfaceDefinition } from '@chancela/service-kernel/service'

/** The contract of client applications (spec 1 A): what is not under `/v1` does not exist. */
export const sessionSurface: SurfaceDefinition = {
  name: 'session-server',
  title: 'Signing session server',
  section: 'Http',
  healthPath: '/health',
  readyPath: '/ready',
  referencePath: '/scalar/v1',
  openApiPath: '/openapi/v1.json',
  apiKey: { header: 'X-API-Key', form: 'secret' },
}

/** The console of administrators and the channel of workstation agents, on an address that clients need not reach. */
export const consoleSurface: SurfaceDefinition = {
  name: 'session-server-console',
  title: 'Signing session server, console',
  section: 'Console',
  healthPath: '/health',
  readyPath: '/ready',
}
