import type { SurfaceDefinition } from '@chancela/service-kernel/service'

/** The contract of client applications (spec 1 A): only paths under `/v1` exist. */
export const sessionSurface: SurfaceDefinition = {
  name: 'session-server',
  title: { 'pt-BR': 'Servidor de sessões de assinatura', 'en-US': 'Signing session server' },
  summary: {
    'pt-BR': 'O cliente abre uma sessão com CPF e PIN e assina PDFs dentro dela.',
    'en-US': 'A client opens a session with CPF and PIN, then signs PDFs under it.',
  },
  section: 'Http',
  healthPath: '/health',
  readyPath: '/ready',
  referencePath: '/scalar/v1',
  openApiPath: '/openapi/v1.json',
  apiKey: { header: 'X-API-Key', form: 'secret' },
  console: 'session-server-console',
}

/** The console of administrators and the channel of workstation agents, on an address clients do not need. */
export const consoleSurface: SurfaceDefinition = {
  name: 'session-server-console',
  title: { 'pt-BR': 'Servidor de sessões de assinatura, console', 'en-US': 'Signing session server, console' },
  summary: {
    'pt-BR': 'Administradores cuidam de aplicações, certificados e estações; os agentes das estações se conectam aqui.',
    'en-US': 'Administrators look after applications, certificates and workstations; workstation agents connect here.',
  },
  section: 'Console',
  healthPath: '/health',
  readyPath: '/ready',
}
