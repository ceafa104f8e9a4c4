import type { SurfaceDefinition } from '@chancela/service-kernel/service'

/** The contract of client applications (spec 1 B), and the pages browsers see on their way. */
export const hubSurface: SurfaceDefinition = {
  name: 'cloud-hub',
  title: { 'pt-BR': 'Hub de certificados em nuvem', 'en-US': 'Cloud certificate hub' },
  summary: {
    'pt-BR': 'Uma só API diante de todos os provedores de certificado em nuvem.',
    'en-US': 'One API in front of every cloud certificate provider.',
  },
  section: 'Http',
  healthPath: '/health',
  readyPath: '/ready',
  referencePath: '/scalar/v1',
  openApiPath: '/openapi/v1.json',
  apiKey: { header: 'X-Api-Key', form: 'secret' },
  console: 'cloud-hub-console',
}

/** The admin page, on an address that clients and holders do not need. */
export const consoleSurface: SurfaceDefinition = {
  name: 'cloud-hub-console',
  title: { 'pt-BR': 'Hub de certificados em nuvem, console', 'en-US': 'Cloud certificate hub, console' },
  summary: {
    'pt-BR': 'Administradores cuidam de provedores, aplicações, URIs de retorno e sessões.',
    'en-US': 'Administrators look after providers, applications, redirect URIs and sessions.',
  },
  section: 'Console',
  healthPath: '/health',
  readyPath: '/ready',
}
