import { realpathSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { SECOND } from '@chancela/service-kernel/clock'
import { CertificateGate, guardedExchange, openTrust, type TrustOptions } from '@chancela/service-kernel/trust'
import { EngineError } from '@chancela/signature-engine'
import { listPkcs11Tokens } from '@chancela/signature-engine/keys'
import type { Certificate } from '@chancela/signature-engine/x509'
import type { Context } from '../../context.ts'
import type { Actor } from '../../rules/actor.ts'
import { signatureFormats } from '../../rules/job.ts'
import { type CertificateSource, type Profile, profileMethods, signatureLevels } from '../../rules/profile.ts'
import { moduleProblem } from '../../rules/profile-rules.ts'
import { refuse } from '../../rules/refuse.ts'
import { PROFILES_CHANNEL } from '../../store/profiles.ts'
import { configuredFolders, type FolderDirectory } from '../folders/folder-directory.ts'
import { type CertificateSummary, summaryOf } from './certificate-summary.ts'
import { type FormContext, ProfileEditor, type ProfileForm } from './edit-profiles.ts'
import { encryptionCertificates, recipientProblem } from './encryption-certificates.ts'
import type { KeyAccess } from './open-key.ts'
import { accessOf, CurrentProfiles, type DirectoryParts } from './profile-directory.ts'
import { seedProfiles, usableSeeds } from './seed-profiles.ts'
import type { ProfileDirectory, ProfileState } from './signing.ts'
import { type CertificateTrial, testCertificate } from './test-certificate.ts'
import { TokenPool } from './token-pool.ts'
import { watchAuthorities } from './watch-authorities.ts'

/** The profiles of this service, and all operations of operators on them. */
export interface Profiles extends ProfileDirectory {
  /** Judges certificates of approvers by the roots that this host trusts. */
  readonly approverGate: CertificateGate
  /** Refusals: profile.invalid with fields, profile.already-exists. */
  create(form: ProfileForm, actor: Actor): Promise<Profile>
  /** Refusals: profile.not-found, profile.invalid with fields, profile.changed-meanwhile. */
  edit(name: string, version: number, form: EditForm, actor: Actor): Promise<Profile>
  /** Tests the key of a profile, saved or not; secrets absent from the form are the saved ones. */
  testCertificate(tried: TriedKey, name?: string): Promise<CertificateTrial>
  options(module?: string): Promise<ProfileOptions>
  /** The certificate in use; undefined while the profile is degraded. */
  certificate(name: string): CertificateSummary | undefined
  /** The trusted roots; empty until the official ones were fetched. */
  trustAnchors(): readonly Certificate[]
  /** Reads the profiles again; resolves when they are current. */
  reload(): Promise<void>
  close(): Promise<void>
}

/** A key to test: absent fields come from the saved profile. */
interface TriedKey extends Omit<ProfileForm, 'draft'> {
  readonly certificate?: CertificateSource | null | undefined
}

/** A form for an existing profile: its name is fixed. */
type EditForm = Parameters<ProfileEditor['edit']>[2]

/** Options of a form. */
interface ProfileOptions {
  readonly folders: readonly { readonly name: string; readonly profile: string | null }[]
  readonly levels: typeof signatureLevels
  readonly formats: typeof signatureFormats
  readonly methods: readonly (typeof profileMethods)[number][]
  readonly hasTimestampAuthority: boolean
  readonly canApproversSign: boolean
  /** Tokens of the requested PKCS#11 module. */
  readonly tokens: readonly { readonly label: string; readonly serialNumber: string; readonly model: string }[]
  /** Why there are none. */
  readonly tokensProblem: string | null
}

interface OpenOptions extends Pick<DirectoryParts, 'firstRetryMs'> {
  /** Default: the folders of the settings file. */
  readonly watched?: Pick<FolderDirectory, 'list'>
}

/** Opens the profiles: seeds an empty store, opens every key, and follows edits of this or another instance. */
export async function openProfileDirectory(
  context: Context,
  { watched = configuredFolders(context), ...more }: OpenOptions = {},
): Promise<Profiles> {
  const { dataFolder, store, closing, logger, clock } = context
  const trust = await openTrust(trustOptions(context))
  const hostRecipients = await recipientsOfHost(context)
  const folders = () => watched.list().map(({ folder }) => folder.name)
  const around = formContext(context, watched)
  const gate = new CertificateGate(trust)
  const tokens = new TokenPool()
  await seedProfiles(context, around)
  const profiles = new CurrentProfiles(context, { trust, gate, tokens, folders, hostRecipients, ...more })
  await profiles.reload()
  watchAuthorities(context, profiles)
  const stopListening = store.listen(PROFILES_CHANNEL, () => {
    profiles.reload().catch((error: unknown) => logger.error({ err: error }, 'The profiles could not be read again.'))
  })
  const editor = new ProfileEditor(context, profiles, around)
  const close = async () => {
    stopListening()
    await profiles.close()
  }
  closing.add('signing profiles', close)
  return {
    approverGate: await gateForApprovers(context),
    get: (name) => profiles.get(name),
    byFolder: (folder) => profiles.byFolder(folder),
    list: () => profiles.list(),
    state: (name): ProfileState => profiles.state(name),
    plan: (job) => profiles.plan(job),
    encryption: (job) => profiles.encryption(job),
    holds: profiles.holds,
    onChange: (listener) => profiles.onChange(listener),
    reload: () => profiles.reload(),
    create: (form, actor) => editor.create(form, actor),
    edit: (name, version, form, actor) => editor.edit(name, version, form, actor),
    testCertificate: async (tried, name) => {
      const stored = name === undefined ? undefined : profiles.stored(name)
      if (name !== undefined && !stored) throw refuse('profile.not-found', { name })
      const access = triedAccess(context, stored, tried)
      const problem = moduleProblem(access.certificate, around.isWritable)
      if (problem !== undefined) throw refuse('profile.invalid', { fields: { certificate: [problem] } })
      return testCertificate(access, { dataFolder, tokens }, gate, clock())
    },
    options: (module) => optionsOf(profiles, around, module),
    certificate: (name) => {
      const certificate = profiles.certificate(name)
      return certificate && summaryOf(certificate)
    },
    trustAnchors: () => trust.roots(),
    close,
  }
}

/** Throws what opening the profiles would refuse of the settings and of the files they name. */
export async function checkSigningSettings(
  given: Host & Pick<Context, 'logger' | 'clock'>,
  isSeeded: boolean,
): Promise<void> {
  await openTrust(trustOptions(given))
  await recipientsOfHost(given)
  if (!isSeeded) await usableSeeds(given, formContext(given, configuredFolders(given)))
}

type Host = Pick<Context, 'settings' | 'dataFolder'>

const recipientsOfHost = ({ settings, dataFolder }: Host): Promise<readonly Certificate[]> =>
  encryptionCertificates(settings.Encryption.CertificateFiles, dataFolder, 'batch-signer Encryption:CertificateFiles')

function formContext({ settings, dataFolder }: Host, watched: Pick<FolderDirectory, 'list'>): FormContext {
  return {
    get folders() {
      return watched.list().map(({ folder }) => folder.name)
    },
    hasTimestampAuthority: settings.Signing.TimestampAuthority !== undefined,
    recipientProblem,
    isWritable: writableBelow({ settings, dataFolder }, watched),
    isReachable: approversCanComeIn(settings),
  }
}

/** Whether approvers can come in and sign; a rule that asks for their signatures is refused otherwise. */
const approversCanComeIn = ({ ApproverPortal, Auth }: Context['settings']): boolean =>
  ApproverPortal.Enabled || Auth.Idp !== undefined

function trustOptions({ settings, dataFolder, logger, clock }: Host & Pick<Context, 'logger' | 'clock'>): TrustOptions {
  const { TrustAnchorsFile } = settings.Signing
  return {
    file: TrustAnchorsFile === undefined ? undefined : resolve(dataFolder, TrustAnchorsFile),
    setting: 'batch-signer Signing:TrustAnchorsFile',
    kept: join(resolve(dataFolder, settings.Storage.Root), 'trust', 'icp-brasil.pem'),
    logger,
    clock,
    retryAfterMs: RETRY_AFTER,
  }
}

/**
 * Operators choose the certificates of profiles; those of approvers come from anybody with a session, and a certificate
 * contains addresses: the network of this host must stay out of their reach.
 */
async function gateForApprovers(given: Host & Pick<Context, 'logger' | 'clock'>): Promise<CertificateGate> {
  const exchange = guardedExchange(given.settings.Signing.AuthorityHosts)
  return new CertificateGate(await openTrust({ ...trustOptions(given), exchange }))
}

/** A silent authority holds the profile: whoever asks it again is the probe, which waits between its tries already. */
const RETRY_AFTER = SECOND

/** Fields absent from the form come from the saved profile. */
function triedAccess(
  context: Pick<Context, 'secrets'>,
  stored: ReturnType<CurrentProfiles['stored']>,
  { certificate, secret, pkcs12 }: TriedKey,
): KeyAccess {
  const saved = stored && accessOf(stored, context)
  return {
    certificate: certificate === undefined ? (saved?.certificate ?? null) : certificate,
    secret: () => (secret === undefined ? (saved?.secret() ?? null) : secret),
    pkcs12: () => (pkcs12 === undefined ? (saved?.pkcs12() ?? null) : pkcs12),
  }
}

async function optionsOf(
  profiles: CurrentProfiles,
  { folders, hasTimestampAuthority, isWritable, isReachable }: FormContext,
  module: string | undefined,
): Promise<ProfileOptions> {
  return {
    folders: folders.map((name) => ({ name, profile: profiles.byFolder(name)?.name ?? null })),
    levels: signatureLevels,
    formats: signatureFormats,
    methods: profileMethods.filter((method) => method === 'Local'),
    hasTimestampAuthority,
    canApproversSign: isReachable,
    ...(module === undefined ? { tokens: [], tokensProblem: null } : await tokensBehind(module, isWritable)),
  }
}

async function tokensBehind(
  module: string,
  isWritable: FormContext['isWritable'],
): Promise<Pick<ProfileOptions, 'tokens' | 'tokensProblem'>> {
  const source = { kind: 'Pkcs11', modulePath: module, tokenLabel: null, thumbprint: null } as const
  const problem = moduleProblem(source, isWritable)
  if (problem !== undefined) return { tokens: [], tokensProblem: problem }
  try {
    const found = await listPkcs11Tokens(module)
    return {
      tokens: found.map(({ label, serialNumber, model }) => ({ label, serialNumber, model })),
      tokensProblem: null,
    }
  } catch (error) {
    if (error instanceof EngineError) return { tokens: [], tokensProblem: error.message }
    throw error
  }
}

/** Whether a path, with links resolved, is in a folder that receives files, or that cannot be determined. */
function writableBelow(
  { settings, dataFolder }: Pick<Context, 'settings' | 'dataFolder'>,
  watched: Pick<FolderDirectory, 'list'>,
): (path: string) => boolean {
  const own = [dataFolder, resolve(dataFolder, settings.Storage.Root)]
  const roots = () => [...own, ...watched.list().map(({ folder }) => folder.path)].map(realPath)
  return (path) => !isAbsolute(path) || roots().some((root) => isInside(realPath(path), root))
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // A path that does not exist yet has no links to resolve.
    return resolve(path)
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
