import type { SurfaceDefinition } from '@chancela/service-kernel/service'

/** The contract of client applications (spec 1 C). */
export const coreSurface: SurfaceDefinition = {
  name: 'pki-core',
  title: { 'pt-BR': 'Serviço PKI', 'en-US': 'PKI core service' },
  summary: {
    'pt-BR': 'Autentica pessoas pelos seus certificados, faz assinar documentos, verifica rostos.',
    'en-US': 'Authenticates people by their certificates, has documents signed, checks faces.',
  },
  section: 'Http',
  healthPath: '/api/health',
  readyPath: '/api/ready',
  referencePath: '/scalar/v1',
  openApiPath: '/openapi/v1.json',
  apiKey: { header: 'X-Api-Key', form: 'application|secret' },
  console: 'pki-core-console',
}

/** The admin page, on an address that clients do not need. */
export const consoleSurface: SurfaceDefinition = {
  name: 'pki-core-console',
  title: { 'pt-BR': 'Serviço PKI, console', 'en-US': 'PKI core service, console' },
  summary: {
    'pt-BR': 'Administradores cuidam de contas, aplicações, chaves e contextos de segurança.',
    'en-US': 'Administrators look after subscriptions, applications, keys and security contexts.',
  },
  section: 'Console',
  healthPath: '/health',
  readyPath: '/ready',
}
