import { join } from 'node:path'
import type { Gates } from './world.ts'

/** Where the suite keeps what it has: on its disks, or in PostgreSQL and an S3 store. */
export const kinds = ['files', 'servers'] as const

export type WorldKind = (typeof kinds)[number]

/** The product's services. */
export const serviceNames = [
  'batch-signer',
  'cloud-hub',
  'document-platform',
  'credential-platform',
  'pki-core',
  'session-server',
] as const

export type ServiceName = (typeof serviceNames)[number]

export const BUCKET = 'documents'

const MiB = 1_048_576

/** Names under which the suite reaches what is around it. */
export interface Hosts {
  readonly authorities: string
  readonly mail: string
}

/** Names that only the suite knows, so that they can be forgotten. */
export const ownHosts: Hosts = { authorities: 'authorities.test', mail: 'mail.test' }

/** Names that every machine knows. */
export const anyHosts: Hosts = { authorities: 'localhost', mail: 'localhost' }

interface SettingsOptions {
  readonly kind: WorldKind
  readonly root: string
  readonly gates: Gates
  readonly hosts: Hosts
  readonly ports: Readonly<Record<ServiceName, number>>
  /** Of PostgreSQL; SQLite on the disk of the database without one. */
  readonly databaseUrl: string | undefined
}

/** The settings file of the suite. */
export function settingsOf(options: SettingsOptions): Readonly<Record<string, object>> {
  const own = ownSettings(options)
  return Object.fromEntries(serviceNames.map((name) => [name, { ...commonOf(name, options), ...own[name] }]))
}

const commonOf = (name: ServiceName, { root, ports, databaseUrl }: SettingsOptions) => ({
  Http: { Port: ports[name], ...(pages.includes(name) && { PublicUrl: `http://localhost:${ports[name]}` }) },
  Database: { Url: databaseUrl ?? `sqlite:${join(root, 'database', `${name}.db`)}` },
  // Clients of the proof call from one address.
  RateLimiting: { Enabled: false },
  // Its disks are small.
  Health: { MinFreeBytes: 8 * MiB },
})

const pages: readonly ServiceName[] = ['cloud-hub', 'document-platform', 'credential-platform']

/** Tried again soon, so that a proof does not wait for what it knows to be over. */
const ownSettings = ({ kind, root, gates, hosts }: SettingsOptions): Readonly<Record<ServiceName, object>> => {
  const authorities = `${hosts.authorities}:${gates.authorities.port}`
  const trusting = { TimestampAuthority: `http://${authorities}/tsa`, AuthorityHosts: [hosts.authorities] }
  const storage = (name: string) => ({
    Folder: join(root, 'blobs', name),
    ...(kind === 'servers' && {
      Kind: 'S3',
      S3: {
        Endpoint: `http://127.0.0.1:${gates.store.port}`,
        Bucket: BUCKET,
        Prefix: `${name}/`,
        AccessKeyId: 'S3RVER',
        SecretAccessKey: 'S3RVER',
      },
    }),
  })
  const console = { Console: { Port: 0 } }
  const input = (name: string) => ({ Name: name, Path: join(root, 'work', inputs[name]!) })
  return {
    'batch-signer': {
      Compact: { Port: 0 },
      Signing: trusting,
      Storage: { Root: join(root, 'work', 'batch'), Inputs: Object.keys(inputs).map(input) },
      Backup: { Enabled: false },
    },
    'cloud-hub': { ...console, Providers: { AllowedHosts: ['localhost'] } },
    'document-platform': {
      Signing: trusting,
      Storage: storage('documents'),
      Email: { Host: hosts.mail, Port: gates.mail.port },
    },
    'credential-platform': { Signing: trusting, Storage: storage('credentials') },
    'pki-core': {
      ...console,
      SecurityContexts: { AuthorityHosts: trusting.AuthorityHosts },
      Signatures: { TimestampAuthority: trusting.TimestampAuthority },
      Storage: storage('core'),
    },
    'session-server': { ...console, Certificates: { AuthorityHosts: trusting.AuthorityHosts } },
  }
}

const inputs: Readonly<Record<string, string>> = {
  default: 'input',
  remessas: 'input-remessas',
  sigilo: 'input-sigilo',
}
