import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { KernelSettings } from '@chancela/service-kernel/config'
import type { RunningService, ServiceDefinition } from '@chancela/service-kernel/service'
import { demoHolders } from '@chancela/testkit/demo-pki'
import type { DemoAccess } from './demo-access.ts'
import type { DemoFile } from './demo-file.ts'
import { allowReturn } from './demo-hub.ts'
import { type CallingService, callerKeys } from './demo-keys.ts'

/** The defaults of `npm start`; a settings file and the environment override them. */
export const demoSettings = (former: DemoFile | undefined): Record<string, object> => ({
  'cloud-hub': cloudHub,
  'batch-signer': batchSigner(former?.services['batch-signer']?.apiKey ?? newKey()),
  'credential-platform': credentialPlatform,
  'document-platform': documentPlatform,
  'pki-core': pkiCore,
  'session-server': sessionServer,
})

const newKey = (): string => randomBytes(24).toString('base64url')

const [ana, bruno, carla] = demoHolders

/** Three folders: any file, remittances of a bank, and files that only one holder may read. */
const batchSigner = (apiKey: string) => ({
  Environment: 'development',
  Auth: { ApiKey: apiKey },
  // Links of approvers work after the next start, too.
  ApproverPortal: { Enabled: true, LinkSecret: `links-${apiKey}` },
  Storage: {
    Inputs: ['default', 'remessas', 'sigilo'].map((name) => ({ Name: name, Path: inputFolders[name] })),
  },
  Signing: {
    TrustAnchorsFile: 'demo/roots.pem',
    TimestampAuthority: 'http://localhost:8087/tsa',
    AuthorityHosts: ['localhost', '127.0.0.1', '::1'],
    Profiles: [
      { Name: 'default', InputFolder: 'default', ...keyOf(ana!) },
      { Name: 'remessas', InputFolder: 'remessas', Format: 'Cades', CheckCnab240: true, ...keyOf(bruno!) },
      {
        Name: 'sigilo',
        InputFolder: 'sigilo',
        Format: 'Cades',
        EncryptionCertificateFiles: [`demo/${carla!.label}.pem`],
        ...keyOf(carla!),
      },
    ],
  },
  Encryption: { CertificateFiles: [`demo/${carla!.label}.pem`] },
  Backup: { Enabled: true, Path: 'batch-signer/backups' },
})

/** Mails go to the demo's mailbox; webhooks may target this machine. */
const documentPlatform = {
  Environment: 'development',
  Http: { PublicUrl: 'http://localhost:8085' },
  Signing: {
    TrustAnchorsFile: 'demo/roots.pem',
    TimestampAuthority: 'http://localhost:8087/tsa',
    AuthorityHosts: ['localhost', '127.0.0.1', '::1'],
  },
  Email: { Enabled: true, Host: '127.0.0.1', Port: 8091, Security: 'None', From: 'demo@chancela.example' },
  Webhooks: { AllowedHosts: ['localhost', '127.0.0.1', '::1'] },
}

/** Credentials are signed under the roots of the demo. Webhooks may target this machine. */
const credentialPlatform = {
  Environment: 'development',
  Http: { PublicUrl: 'http://localhost:8086' },
  Signing: {
    TrustAnchorsFile: 'demo/roots.pem',
    TimestampAuthority: 'http://localhost:8087/tsa',
    AuthorityHosts: ['localhost', '127.0.0.1', '::1'],
  },
  Webhooks: { AllowedHosts: ['localhost', '127.0.0.1', '::1'] },
  Auth: { RequireSecondFactor: false },
}

/** Its test roots are those of the demo; ICP-Brasil is what it is everywhere. */
const pkiCore = {
  Environment: 'development',
  SecurityContexts: { TestAnchorsFile: 'demo/roots.pem', AuthorityHosts: ['localhost', '127.0.0.1', '::1'] },
  Signatures: { TimestampAuthority: 'http://localhost:8087/tsa' },
  Auth: { RequireSecondFactor: false },
}

/** Documents are signed at the document platform of the demo. A person who tries the console needs no second factor. */
const sessionServer = {
  Environment: 'development',
  Certificates: { TrustAnchorsFile: 'demo/roots.pem', AuthorityHosts: ['localhost', '127.0.0.1', '::1'] },
  Auth: { RequireSecondFactor: false },
}

/** Providers of the demo are on this machine. */
const cloudHub = {
  Environment: 'development',
  Http: { PublicUrl: 'http://localhost:8082' },
  Providers: { AllowedHosts: ['localhost', '127.0.0.1', '::1'] },
  Auth: { RequireSecondFactor: false },
}

const sectionOf = (settings: object, name: string) =>
  (settings as Record<string, { readonly ApiKey: string } | undefined>)[name]

/** Adds the keys that exist only once the service they belong to has started. */
export async function completeSettings(
  { name }: ServiceDefinition,
  settings: KernelSettings,
  started: readonly RunningService[],
  access: DemoAccess,
): Promise<KernelSettings> {
  const rest = rests[name]
  const section = rest && sectionOf(settings, rest.section)
  const below = started.find(({ definition }) => definition.name === rest?.on)
  if (!rest || section?.ApiKey !== '' || !below) return settings
  const ApiKey = await rest.key(below, access, settings)
  if (ApiKey === undefined) return settings
  return { ...settings, [rest.section]: { ...section, Endpoint: addressOf(below, rest.on), ApiKey } } as KernelSettings
}

interface Rest {
  /** The service that must have started. */
  readonly on: string
  /** The settings section that takes the address and the key. */
  readonly section: string
  readonly key: (below: RunningService, access: DemoAccess, settings: KernelSettings) => Promise<string | undefined>
}

/** People are redirected from a page of the service to the hub's providers and back. */
const restsOnHub = (caller: CallingService): Rest => ({
  on: 'cloud-hub',
  section: 'CloudHub',
  key: async (hub, access, { Http: { PublicUrl, Port } }) => {
    // A port that the system chooses is not known yet.
    if (PublicUrl === undefined && Port === 0) return undefined
    const key = (await access.of(hub))['cloud-hub']?.[callerKeys[caller]]
    if (key) await allowReturn(hub, key, `${PublicUrl ?? `http://localhost:${Port}`}/cloud-return`)
    return key
  },
})

/** Services that call another. */
const rests: Readonly<Record<string, Rest | undefined>> = {
  'document-platform': restsOnHub('document-platform'),
  'credential-platform': restsOnHub('credential-platform'),
  'pki-core': restsOnHub('pki-core'),
  // It signs with the key of the demo's organization.
  'session-server': {
    on: 'document-platform',
    section: 'Signer',
    key: async (platform, access) => (await access.of(platform))['document-platform']?.apiKey,
  },
}

const addressOf = ({ surfaces }: RunningService, name: string): string | undefined =>
  surfaces.find(({ definition }) => definition.name === name)?.baseUrl

const keyOf = ({ label, pin }: { readonly label: string; readonly pin: string }) => ({
  Pkcs12File: `demo/${label}.p12`,
  Pkcs12Password: pin,
})

const inputFolders: Readonly<Record<string, string>> = {
  default: 'batch-signer/input',
  remessas: 'batch-signer/input-remessas',
  sigilo: 'batch-signer/input-sigilo',
}

/** What `data/demo.json` contains of a base URL besides its address and key; paths are relative to the data folder. */
export const demoPlaces: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'batch-signer': {
    inputFolder: inputFolders.default!,
    remittanceFolder: inputFolders.remessas!,
    confidentialFolder: inputFolders.sigilo!,
    outputFolder: 'batch-signer/output',
  },
}

/** Creating watched folders is the operator's job: the service reports a missing one. Here the demo is the operator. */
export function makeDemoFolders(dataFolder: string): void {
  for (const path of Object.values(inputFolders)) mkdirSync(resolve(dataFolder, path), { recursive: true })
}
