import type { SurfaceDefinition } from '@chancela/service-kernel/service'

/** The API and the pages of the platform (spec 3 A). */
export const platformSurface: SurfaceDefinition = {
  name: 'document-platform',
  title: 'Document-signature platform',
  section: 'Http',
  healthPath: '/api/health',
  readyPath: '/api/ready',
  referencePath: '/scalar/v1',
  openApiPath: '/openapi/v1.json',
  apiKey: { header: 'X-Api-Key', form: 'application|secret' },
}
