/** One base URL of the suite, whether its service is in this build or not. */
export interface CatalogueEntry {
  /** Name of the base URL, as in `--only` and `data/demo.json`. */
  readonly name: string
  /** Folder of the service; two surfaces of one service share it. */
  readonly folder: string
  readonly title: string
  readonly summary: string
  readonly specification: string
  readonly port: number
}

/** Every base URL of the suite: the table of the architecture, in its order. */
export const catalogue: readonly CatalogueEntry[] = [
  {
    name: 'session-server',
    folder: 'services/session-server',
    title: 'Signing session server',
    summary: 'A client opens a session with CPF and PIN, then signs PDFs under it.',
    specification: 'document 1, part A',
    port: 8081,
  },
  {
    name: 'session-server-console',
    folder: 'services/session-server',
    title: 'Session server, console',
    summary: 'Administrators look after applications, certificates and workstations; workstation agents connect here.',
    specification: 'document 1, part A',
    port: 8088,
  },
  {
    name: 'cloud-hub',
    folder: 'services/cloud-hub',
    title: 'Cloud certificate hub',
    summary: 'One API in front of every cloud certificate provider.',
    specification: 'document 1, part B',
    port: 8082,
  },
  {
    name: 'cloud-hub-console',
    folder: 'services/cloud-hub',
    title: 'Cloud certificate hub, console',
    summary: 'Administrators look after providers, applications, redirect URIs and sessions.',
    specification: 'document 1, part B',
    port: 8089,
  },
  {
    name: 'pki-core',
    folder: 'services/pki-core',
    title: 'PKI core service',
    summary: 'Certificate authentication, biometric sessions, signature sessions.',
    specification: 'document 1, part C',
    port: 8083,
  },
  {
    name: 'batch-signer',
    folder: 'services/batch-signer',
    title: 'Batch signer',
    summary: 'Watched folders and uploads become signed files, with approvals.',
    specification: 'document 2, full surface',
    port: 8084,
  },
  {
    name: 'batch-signer-compact',
    folder: 'services/batch-signer',
    title: 'Batch signer, compact variant',
    summary: 'The smaller REST face of the same jobs.',
    specification: 'document 2, compact variant',
    port: 8080,
  },
  {
    name: 'document-platform',
    folder: 'services/document-platform',
    title: 'Document-signature platform',
    summary: 'Documents with signing flows, folders, organizations, webhooks.',
    specification: 'document 3, part A',
    port: 8085,
  },
  {
    name: 'credential-platform',
    folder: 'services/credential-platform',
    title: 'Credential-issuing platform',
    summary: 'Academic credentials: issue, register, annul, notify.',
    specification: 'document 3, part B',
    port: 8086,
  },
]
