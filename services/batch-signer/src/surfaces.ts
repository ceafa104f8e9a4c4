import type { SurfaceDefinition } from '@chancela/service-kernel/service'

const apiKey = { header: 'X-API-Key', setting: 'Auth:ApiKey' } as const

/** The full surface (spec 2). */
export const fullSurface: SurfaceDefinition = {
  name: 'batch-signer',
  title: { 'pt-BR': 'Assinador em lote', 'en-US': 'Batch signer' },
  summary: {
    'pt-BR': 'Pastas vigiadas e envios viram arquivos assinados, e nenhum se perde.',
    'en-US': 'Watched folders and uploads become signed files, and none is ever lost.',
  },
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
  title: { 'pt-BR': 'Assinador em lote, variante compacta', 'en-US': 'Batch signer, compact variant' },
  summary: {
    'pt-BR': 'A face REST menor dos mesmos trabalhos.',
    'en-US': 'The smaller REST face of the same jobs.',
  },
  section: 'Compact',
  healthPath: '/api/health',
  readyPath: '/api/ready',
  referencePath: '/scalar/v1',
  openApiPath: '/openapi/v1.json',
  apiKey,
  console: fullSurface.name,
}
