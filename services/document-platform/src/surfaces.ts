import type { SurfaceDefinition } from '@chancela/service-kernel/service'

/** The API and the pages of the platform (spec 3 A). */
export const platformSurface: SurfaceDefinition = {
  name: 'document-platform',
  title: { 'pt-BR': 'Plataforma de assinatura de documentos', 'en-US': 'Document-signature platform' },
  summary: {
    'pt-BR': 'Documentos com fluxos de assinatura, pastas, organizações e webhooks.',
    'en-US': 'Documents with signing flows, folders, organizations and webhooks.',
  },
  section: 'Http',
  healthPath: '/api/health',
  readyPath: '/api/ready',
  referencePath: '/scalar/v1',
  openApiPath: '/openapi/v1.json',
  apiKey: { header: 'X-Api-Key', form: 'application|secret' },
}
