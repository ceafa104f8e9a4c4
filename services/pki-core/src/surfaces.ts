import type { SurfaceDefinition } from '@chancela/service-kernel/service'

/** The contract of client applications (spec 1 C). */
export const coreSurface: SurfaceDefinition = {
  name: 'pki-core',
  title: { 'pt-BR': 'Serviço PKI', 'en-US': 'PKI core service' },
  summary: {
    'pt-BR': 'Autentica pessoas pelos seus certificados.',
    'en-US': 'Authenticates people by their certificates.',
  },
  section: 'Http',
  healthPath: '/api/health',
  readyPath: '/api/ready',
  referencePath: '/scalar/v1',
  openApiPath: '/openapi/v1.json',
  apiKey: { header: 'X-Api-Key', form: 'application|secret' },
}
