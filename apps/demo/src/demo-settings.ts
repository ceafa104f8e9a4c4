import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { KernelSettings } from '@chancela/service-kernel/config'
import type { RunningService, ServiceDefinition } from '@chancela/service-kernel/service'
import { demoHolders } from '@chancela/testkit/demo-pki'
import type { DemoAccess } from './demo-access.ts'
import type { DemoFile } from './demo-file.ts'

/** What `npm start` sets where nobody says otherwise; a settings file and the environment win over it. */
export const demoSettings = (former: DemoFile | undefined): Record<string, object> => ({
  'batch-signer': batchSigner(former?.services['batch-signer']?.apiKey ?? newKey()),
  'document-platform': documentPlatform,
  'session-server': sessionServer,
})

const newKey = (): string => randomBytes(24).toString('base64url')

const [ana, bruno, carla] = demoHolders

/** Three folders: any file, remittances of a bank, and files that only one holder may read. */
const batchSigner = (apiKey: string) => ({
  Environment: 'development',
  Auth: { ApiKey: apiKey },
  Storage: {
    Inputs: ['default', 'remessas', 'sigilo'].map((name) => ({ Name: name, Path: inputFolders[name] })),
  },
  Signing: {
    TrustAnchorsFile: 'demo/roots.pem',
    TimestampAuthority: 'http://localhost:8087/tsa',
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

/** Mails go to the mailbox of the demo; webhooks may go to this machine. */
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

/** Documents are signed at the document platform of the demo. A person who tries the console needs no second factor. */
const sessionServer = {
  Environment: 'development',
  Certificates: { TrustAnchorsFile: 'demo/roots.pem', AuthorityHosts: ['localhost', '127.0.0.1', '::1'] },
  Auth: { RequireSecondFactor: false },
}

/** The session server signs with the key of the demo's organization, which is made when the document platform stands. */
export async function completeSettings(
  { name }: ServiceDefinition,
  settings: KernelSettings,
  started: readonly RunningService[],
  access: DemoAccess,
): Promise<KernelSettings> {
  const { Signer } = settings as unknown as { readonly Signer?: { readonly ApiKey: string } }
  const platform = started.find(({ definition }) => definition.name === 'document-platform')
  if (name !== 'session-server' || Signer?.ApiKey !== '' || !platform) return settings
  const { apiKey } = (await access.of(platform))['document-platform'] ?? {}
  return {
    ...settings,
    Signer: { ...Signer, Endpoint: platform.surfaces[0]!.baseUrl, ApiKey: apiKey },
  } as KernelSettings
}

const keyOf = ({ label, pin }: { readonly label: string; readonly pin: string }) => ({
  Pkcs12File: `demo/${label}.p12`,
  Pkcs12Password: pin,
})

const inputFolders: Readonly<Record<string, string>> = {
  default: 'batch-signer/input',
  remessas: 'batch-signer/input-remessas',
  sigilo: 'batch-signer/input-sigilo',
}

/** What `data/demo.json` tells of a base URL besides its address and key; paths begin at the data folder. */
export const demoPlaces: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'batch-signer': {
    inputFolder: inputFolders.default!,
    remittanceFolder: inputFolders.remessas!,
    confidentialFolder: inputFolders.sigilo!,
    outputFolder: 'batch-signer/output',
  },
}

/** Watched folders are the operator's to make: the service reports one that is missing. Here the demo is the operator. */
export function makeDemoFolders(dataFolder: string): void {
  for (const path of Object.values(inputFolders)) mkdirSync(resolve(dataFolder, path), { recursive: true })
}
