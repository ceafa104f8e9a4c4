import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SECOND } from '@chancela/service-kernel/clock'
import { durationOf } from '@chancela/service-kernel/config'
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { Context } from '../../context.ts'
import { type ApprovalRule, tidied } from '../../rules/approval-rule.ts'
import { DEFAULT_PROFILE, defaultBehaviour, type Profile } from '../../rules/profile.ts'
import { type ProfileContext, type ProfileDraft, profileProblems } from '../../rules/profile-rules.ts'
import type { VisibleSignature } from '../../rules/visible-signature.ts'
import type { BatchSignerSettings } from '../../settings.ts'
import { insertSeeds, type SealedValues, sealContext } from '../../store/profiles.ts'
import { encryptionTexts } from './encryption-certificates.ts'
import { visibleProblems } from './visible-appearance.ts'

type Seed = BatchSignerSettings['Signing']['Profiles'][number]

/** What the rules of a profile need besides the profiles. */
export type SeedContext = Omit<ProfileContext, 'others' | 'hasPkcs12'>

interface SeedProfile {
  readonly draft: ProfileDraft
  readonly secret: string | null
}

/**
 * Fills a store without profiles: from the configuration, and always with a default profile, so that every upload has
 * one. Later the configuration is not read again.
 */
export async function seedProfiles(
  context: Pick<Context, 'store' | 'events' | 'secrets' | 'settings' | 'dataFolder' | 'clock' | 'logger'>,
  around: SeedContext,
): Promise<void> {
  const { store, events, secrets, settings, clock, logger } = context
  const configured = settings.Signing.Profiles
  if (await hasProfiles(store)) {
    if (configured.length > 0) logger.info('Signing:Profiles is ignored: the store has profiles already.')
    return
  }
  const seeds = await usableSeeds(context, around)
  const sealed = seeds.map(({ draft, secret }) => ({ draft, sealed: sealedSecret(draft.name, secret, secrets) }))
  await insertSeeds({ store, events, actor: 'configuration', now: clock() }, sealed)
}

/** Whether the store has profiles, so that those of the configuration are no longer read. */
export const hasProfiles = async ({ db }: Pick<Context['store'], 'db'>): Promise<boolean> =>
  (await db.selectFrom('signing_profile').select('name').limit(1).executeTakeFirst()) !== undefined

/** The profiles of the configuration; throws all their problems, here as in `chancela config check`. */
export async function usableSeeds(
  { settings, dataFolder }: Pick<Context, 'settings' | 'dataFolder'>,
  around: SeedContext,
): Promise<readonly SeedProfile[]> {
  const configured = await Promise.all(settings.Signing.Profiles.map((seed) => seedProfile(seed, dataFolder)))
  const seeds = withDefault(configured, around)
  await refuseUnusable(seeds, around)
  return seeds
}

const sealedSecret = (name: string, secret: string | null, secrets: Context['secrets']): SealedValues => ({
  secret: secret === null ? null : secrets.seal(secret, sealContext(name, 'sealed_secret')),
  pkcs12: null,
})

async function seedProfile(seed: Seed, dataFolder: string): Promise<SeedProfile> {
  const encryptionCertificates = await encryptionTexts(seed.EncryptionCertificateFiles ?? [], dataFolder)
  const { certificate, secret } = seedCertificate(seed)
  return {
    secret,
    draft: {
      name: seed.Name,
      enabled: true,
      inputFolder: seed.InputFolder ?? null,
      format: seed.Format ?? null,
      method: 'Local',
      certificate,
      hasSecret: secret !== null,
      level: (seed.Level ?? defaultBehaviour.level) as Profile['level'],
      verify: seed.Verify ?? defaultBehaviour.verify,
      validateCertificate: seed.ValidateCertificate ?? defaultBehaviour.validateCertificate,
      preserveFileExtension: seed.PreserveFileExtension ?? defaultBehaviour.preserveFileExtension,
      saveAsPem: seed.SaveAsPem ?? defaultBehaviour.saveAsPem,
      checkCnab240: seed.CheckCnab240 ?? defaultBehaviour.checkCnab240,
      checkCnab240PaymentDates: seed.CheckCnab240PaymentDates ?? defaultBehaviour.checkCnab240PaymentDates,
      encrypt: encryptionCertificates.length > 0,
      encryptionCertificates,
      timestampAuthority: seed.TimestampAuthority ?? defaultBehaviour.timestampAuthority,
      visible: await seedVisible(seed, dataFolder),
      signatureReason: seed.SignatureReason ?? defaultBehaviour.signatureReason,
      signatureLocation: seed.SignatureLocation ?? defaultBehaviour.signatureLocation,
      approval: seedApproval(seed),
    },
  }
}

function seedApproval({ Approval }: Seed): ApprovalRule | null {
  if (Approval === undefined) return null
  const { MinimumApprovers, ExpiresAfter, Signers, Approvers } = Approval
  return tidied({
    minimumApprovers: MinimumApprovers,
    expiresAfterSeconds: ExpiresAfter === undefined ? null : durationOf(ExpiresAfter) / SECOND,
    signers: Signers ?? 'ProfileKey',
    approvers: Approvers.map(({ Name, Email, Cpf }) => ({ name: Name, email: Email, cpf: Cpf })),
  })
}

/** A box for three lines at the lower right of the last page, unless told otherwise. */
async function seedVisible({ Name, Visible }: Seed, dataFolder: string): Promise<VisibleSignature | null> {
  if (Visible === undefined) return null
  const { Page, Corner, X, Y, Width, Height, Lines, ImageFile, Border } = Visible
  return {
    page: Page ?? 'last',
    corner: Corner ?? 'bottom-right',
    x: X ?? 36,
    y: Y ?? 36,
    width: Width ?? 200,
    height: Height ?? 60,
    lines: Lines ?? ['{name}', 'CPF {maskedCpf}', '{date}'],
    image: ImageFile === undefined ? null : await imageIn(Name, resolve(dataFolder, ImageFile)),
    border: Border ?? true,
  }
}

async function imageIn(profile: string, path: string): Promise<string> {
  try {
    return (await readFile(path)).toString('base64')
  } catch (cause) {
    const setting = 'batch-signer Signing:Profiles'
    throw new StartupProblem(`${setting}: ${profile}: The image ${path} cannot be read.`, { setting, cause })
  }
}

function seedCertificate(seed: Seed): Pick<ProfileDraft, 'certificate'> & { secret: string | null } {
  const { Pkcs12File, Pkcs12Password, Pkcs11Module, Pkcs11Thumbprint, Pkcs11Pin } = seed
  if (Pkcs12File !== undefined)
    return { certificate: { kind: 'Pkcs12', path: Pkcs12File }, secret: Pkcs12Password ?? null }
  if (Pkcs11Module === undefined) return { certificate: null, secret: null }
  const thumbprint = Pkcs11Thumbprint?.toLowerCase().replaceAll(/[\s:]/g, '') ?? null
  return {
    certificate: { kind: 'Pkcs11', modulePath: Pkcs11Module, tokenLabel: null, thumbprint },
    secret: Pkcs11Pin ?? null,
  }
}

/** Work without a profile needs the default one; if there is only one folder, that folder feeds it. */
function withDefault(
  seeds: readonly SeedProfile[],
  { folders }: Pick<ProfileContext, 'folders'>,
): readonly SeedProfile[] {
  const isOnly = folders.length === 1 && folders[0] === DEFAULT_PROFILE
  const isFree = !seeds.some(({ draft }) => draft.inputFolder === DEFAULT_PROFILE)
  const inputFolder = isOnly && isFree ? DEFAULT_PROFILE : null
  const given = seeds.find(({ draft }) => draft.name === DEFAULT_PROFILE)
  if (!given) return [{ draft: emptyDefault(inputFolder), secret: null }, ...seeds]
  const draft = { ...given.draft, inputFolder: given.draft.inputFolder ?? inputFolder }
  return seeds.map((seed) => (seed === given ? { ...seed, draft } : seed))
}

const emptyDefault = (inputFolder: string | null): ProfileDraft => ({
  ...defaultBehaviour,
  name: DEFAULT_PROFILE,
  enabled: true,
  inputFolder,
  format: null,
  method: 'Local',
  certificate: null,
  hasSecret: false,
})

/** An unusable configuration prevents the start, with all its problems listed. */
async function refuseUnusable(seeds: readonly SeedProfile[], around: SeedContext): Promise<void> {
  const setting = 'batch-signer Signing:Profiles'
  const drawn = await Promise.all(seeds.map(({ draft }) => visibleProblems(draft.visible)))
  const problems = seeds.flatMap(({ draft }, at) => {
    const others = seeds.slice(0, at).map((seed): Profile => ({ ...seed.draft, version: 0 }))
    const twice = others.some(({ name }) => name === draft.name) ? ['The name is there twice.'] : []
    const broken = profileProblems(draft, { ...around, others, hasPkcs12: false })
    return [...twice, ...[...broken, ...drawn[at]!].map(({ sentence }) => sentence)].map(
      (sentence) => `${draft.name}: ${sentence}`,
    )
  })
  if (problems.length > 0) throw new StartupProblem(`${setting}: ${problems.join(' ')}`, { setting })
}
