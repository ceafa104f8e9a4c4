import type { Bilingual } from '@chancela/service-kernel/i18n'

/** One base URL of the suite, whether its service is in this build or not. */
export interface CatalogueEntry {
  /** Name of the base URL, as in `--only` and `data/demo.json`. */
  readonly name: string
  /** Folder of the service; two surfaces of one service share it. */
  readonly folder: string
  /** The document that specifies this service. */
  readonly specification: Bilingual
  readonly port: number
  /** Title and summary while it is not built; a built service has its own. */
  readonly planned?: { readonly title: Bilingual; readonly summary: Bilingual }
}

/** Every base URL of the suite, in the order of the architecture's table. */
export const catalogue: readonly CatalogueEntry[] = [
  {
    name: 'session-server',
    folder: 'services/session-server',
    specification: { 'pt-BR': 'documento 1, parte A', 'en-US': 'document 1, part A' },
    port: 8081,
  },
  {
    name: 'session-server-console',
    folder: 'services/session-server',
    specification: { 'pt-BR': 'documento 1, parte A', 'en-US': 'document 1, part A' },
    port: 8088,
  },
  {
    name: 'cloud-hub',
    folder: 'services/cloud-hub',
    specification: { 'pt-BR': 'documento 1, parte B', 'en-US': 'document 1, part B' },
    port: 8082,
  },
  {
    name: 'cloud-hub-console',
    folder: 'services/cloud-hub',
    specification: { 'pt-BR': 'documento 1, parte B', 'en-US': 'document 1, part B' },
    port: 8089,
  },
  {
    name: 'pki-core',
    folder: 'services/pki-core',
    specification: { 'pt-BR': 'documento 1, parte C', 'en-US': 'document 1, part C' },
    port: 8083,
  },
  {
    name: 'pki-core-console',
    folder: 'services/pki-core',
    specification: { 'pt-BR': 'documento 1, parte C', 'en-US': 'document 1, part C' },
    port: 8093,
  },
  {
    name: 'batch-signer',
    folder: 'services/batch-signer',
    specification: { 'pt-BR': 'documento 2, superfície completa', 'en-US': 'document 2, full surface' },
    port: 8084,
  },
  {
    name: 'batch-signer-compact',
    folder: 'services/batch-signer',
    specification: { 'pt-BR': 'documento 2, variante compacta', 'en-US': 'document 2, compact variant' },
    port: 8080,
  },
  {
    name: 'document-platform',
    folder: 'services/document-platform',
    specification: { 'pt-BR': 'documento 3, parte A', 'en-US': 'document 3, part A' },
    port: 8085,
  },
  {
    name: 'credential-platform',
    folder: 'services/credential-platform',
    specification: { 'pt-BR': 'documento 3, parte B', 'en-US': 'document 3, part B' },
    port: 8086,
  },
]
