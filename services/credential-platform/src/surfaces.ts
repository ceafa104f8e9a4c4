import type { SurfaceDefinition } from '@chancela/service-kernel/service'

/** The API and the pages of the platform (spec 3 B). */
export const credentialSurface: SurfaceDefinition = {
  name: 'credential-platform',
  title: { 'pt-BR': 'Plataforma de emissão de credenciais', 'en-US': 'Credential-issuing platform' },
  summary: {
    'pt-BR': 'Credenciais acadêmicas: emitir, registrar, anular, notificar.',
    'en-US': 'Academic credentials: issue, register, annul, notify.',
  },
  section: 'Http',
  healthPath: '/api/health',
  readyPath: '/api/ready',
  referencePath: '/scalar/v1',
  openApiPath: '/openapi/v1.json',
  apiKey: { header: 'X-Api-Key', form: 'application|secret' },
}
