import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { signCades, signCadesStream, validateCades, validateCadesStream } from '@chancela/signature-engine/cades'
import type { Judge } from '@chancela/signature-engine/judgement'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import { signPades, validatePades } from '@chancela/signature-engine/pades'
import { isIntact, type SignatureReport, type ValidationReport } from '@chancela/signature-engine/report'
import { signXades, validateXades } from '@chancela/signature-engine/xades'
import type { ProfileDirectory, SignedContent, SigningPlan } from '../../parts/signing/signing.ts'
import type { SignatureFormat } from '../../rules/job.ts'
import { JobFailure } from '../../rules/job-failure.ts'
import { defaultBehaviour, type Profile, type ProfileBehaviour } from '../../rules/profile.ts'
import { quietHolds } from '../../test-support/quiet-holds.ts'
import type { Staged } from '../../upstream/storage/storage.ts'

export interface PlainProfilesOptions {
  readonly signer: DigestSigner
  readonly judge: Judge
  /** Deviations of profiles from the default behaviour, by name; `default` always exists. */
  readonly profiles?: Readonly<Record<string, Partial<ProfileBehaviour>>>
  /** Whether a held profile can sign again; throws ProfileHeld while it cannot. Default: at once. */
  probe?(profile: string): Promise<void>
}

/** Profiles that sign with one key at level B-B: real signatures, without a store or secrets. */
export function plainProfiles({
  signer,
  judge,
  profiles = {},
  probe = async () => {},
}: PlainProfilesOptions): ProfileDirectory {
  const all = new Map(Object.entries({ default: {}, ...profiles }).map(([name, more]) => [name, profileOf(name, more)]))
  return {
    get: (name) => all.get(name.toLowerCase()),
    byFolder: () => undefined,
    list: () => [...all.values()],
    state: () => ({ state: 'ready' }),
    onChange: () => () => {},
    encryption: () => undefined,
    holds: quietHolds(probe),
    plan: ({ profileName, format }) => {
      const profile = all.get(profileName)
      if (!profile) throw new JobFailure('profile.not-found')
      return planOf(profile, format, signer, judge)
    },
  }
}

const profileOf = (name: string, more: Partial<ProfileBehaviour>): Profile => ({
  ...defaultBehaviour,
  level: 'B-B',
  ...more,
  name,
  enabled: true,
  inputFolder: name,
  format: null,
  method: 'Local',
  certificate: null,
  hasSecret: false,
  version: 1,
})

const suffixes = {
  Pades: (name: string) => name.replace(/\.[^.]*$/, '.signed.pdf'),
  Cades: (name: string) => `${name}.p7m`,
  Xades: (name: string) => name.replace(/\.[^.]*$/, '.signed.xml'),
}

const planOf = (profile: Profile, format: SignatureFormat, signer: DigestSigner, judge: Judge): SigningPlan => ({
  profile,
  format,
  encrypts: false,
  outputName: suffixes[format],
  validateCertificate: async () => {},
  sign: (content, now, scratch) => sign({ format, signer, judge }, content, now, scratch),
  signApproved: (content, { signers }, now, scratch) =>
    signers === 'ProfileKey'
      ? sign({ format, signer, judge }, content, now, scratch)
      : Promise.reject(new JobFailure('approval.signer-set-unsupported')),
})

interface Dependencies {
  readonly format: SignatureFormat
  readonly signer: DigestSigner
  readonly judge: Judge
}

async function sign(
  dependencies: Dependencies,
  content: Staged,
  now: Date,
  scratch: () => Promise<string>,
): Promise<SignedContent> {
  if (dependencies.format === 'Cades' && content.kind === 'file')
    return signOnDisk(dependencies, content, now, await scratch())
  const bytes = content.kind === 'memory' ? content.bytes : await readFile(content.path)
  return dependencies.format === 'Pades' ? signPdf(dependencies, bytes, now) : signWhole(dependencies, bytes, now)
}

async function signPdf({ signer, judge }: Dependencies, bytes: Buffer, now: Date): Promise<SignedContent> {
  const appended = await signOrFail(() => signPades(bytes, signer, { now, output: 'appended' }))
  return {
    verify: async (at) => requireValid(await validatePades(Buffer.concat([bytes, appended]), { judge, now: at })),
    output: async () => [bytes, appended],
  }
}

async function signWhole({ format, signer, judge }: Dependencies, bytes: Buffer, now: Date): Promise<SignedContent> {
  const signed = await signOrFail(() =>
    format === 'Cades' ? signCades(bytes, signer, { now }) : signXades(bytes, signer, { now }),
  )
  const validate = format === 'Cades' ? validateCades : validateXades
  return {
    verify: async (at) => requireValid(await validate(signed, { judge, now: at })),
    output: async () => [signed],
  }
}

async function signOnDisk(
  { signer, judge }: Dependencies,
  content: Staged & { kind: 'file' },
  now: Date,
  path: string,
): Promise<SignedContent> {
  const parts = signCadesStream(() => createReadStream(content.path), signer, { now, length: content.length })
  await pipeline(Readable.from(parts), createWriteStream(path))
  return {
    verify: async (at) => requireValid(await validateCadesStream(createReadStream(path), { judge, now: at })),
    output: async () => ({ path }),
  }
}

async function signOrFail<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new JobFailure('job.signing-failed', error instanceof Error ? error.message : '', { cause: error })
  }
}

function requireValid({ signatures }: Pick<ValidationReport, 'signatures'>): void {
  const holds = ({ integrity }: SignatureReport) => isIntact(integrity)
  if (signatures.length === 0 || !signatures.every(holds)) throw new JobFailure('job.verification-failed')
}
