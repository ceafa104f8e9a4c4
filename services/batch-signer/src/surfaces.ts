import type { SurfaceDefinition } from '@chancela/service-kernel/service'

const apiKey = { header: 'X-API-Key', setting: 'Auth:ApiKey' } as const

/** The full surface (spec 2). */
export const fullSurface: SurfaceDefinition = {
  name: 'batch-signer',
  title: 'Batch signer',
  section: 'Http',
  healthPath: '/api/health',
  readyPath: '/api/ready',
  referencePath: '/scalar/v1',
  openApiPath: '/openapi/v1.json',
  apiKey,
}

/** The compact variant over the same jobs, on its own base URL. */
export const compactSurface: SurfaceDefinition = {
  name: 'batch-signer-compact',
  title: 'Batch signer, compact variant',
  section: 'Compact',
  healthPath: '/api/health',
  readyPath: '/api/ready',
  referencePath: '/scalar/v1',
  openApiPath: '/openapi/v1.json',
  apiKey,
}
