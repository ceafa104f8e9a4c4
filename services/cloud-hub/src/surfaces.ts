import type { SurfaceDefinition } from '@chancela/service-kernel/service'

/** The contract of client applications (spec 1 B), and what browsers see on their way. */
export const hubSurface: SurfaceDefinition = {
  name: 'cloud-hub',
  title: 'Cloud certificate hub',
  section: 'Http',
  healthPath: '/health',
  readyPath: '/ready',
  referencePath: '/scalar/v1',
  openApiPath: '/openapi/v1.json',
  apiKey: { header: 'X-Api-Key', form: 'secret' },
}

/** The admin page, on an address that neither clients nor holders need to reach. */
export const consoleSurface: SurfaceDefinition = {
  name: 'cloud-hub-console',
  title: 'Cloud certificate hub, console',
  section: 'Console',
  healthPath: '/health',
  readyPath: '/ready',
}
