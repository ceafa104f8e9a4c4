import { type AskedSigners, signerSetProblems } from '@chancela/service-kernel/trust'
import { coSignCadesStream } from '@chancela/signature-engine/cades'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import { profileSigns } from '../../rules/approval-rule.ts'
import { JobFailure } from '../../rules/job-failure.ts'
import { reasonOf } from '../../rules/job-reason.ts'
import { outputName } from '../../rules/output-name.ts'
import { saidBoth } from '../../rules/sentences.ts'
import type { Staged } from '../../upstream/storage/storage.ts'
import { inOne } from './check-signature.ts'
import { piecesOf } from './pieces-of-file.ts'
import { helpers, inOrder, orHeld, outputOf, type PlanParts, unchanged, writtenTo } from './plan-parts.ts'
import type { ApprovedSignatures, SignedContent, SigningPlan } from './signing.ts'

/** A profile whose approvers sign may have no key. */
type ApprovedParts = Omit<PlanParts, 'signer'> & { readonly signer: DigestSigner | null }

/** How one job of a profile without a key is signed: by its approvers alone. */
export function keylessPlan(parts: Omit<PlanParts, 'signer'>): SigningPlan {
  const { profile, format, recipients } = parts
  const encrypts = recipients.length > 0
  return {
    profile,
    format,
    encrypts,
    outputName: (fileName) => outputName(fileName, { ...profile, format, encrypted: encrypts }),
    validateCertificate: async () => {},
    sign: async () => {
      throw new JobFailure('profile.key-unavailable')
    },
    signApproved: (content, approved, now, scratch) =>
      approvedSigning({ ...parts, signer: null }, content, approved, now, scratch),
  }
}

/**
 * The signatures of approvers as the output, with that of the profile's key where the rule says so. They are checked
 * before the key is used, whatever the profile says about verification: exactly those who approved must have signed.
 */
export async function approvedSigning(
  parts: ApprovedParts,
  content: Staged,
  approved: ApprovedSignatures,
  now: Date,
  scratch: () => Promise<string>,
): Promise<SignedContent> {
  const signer = keyFor(parts, approved)
  const { envelope, thumbprints } = requirePresent(approved)
  const asked = { contentSha256: content.sha256, thumbprints, now }
  await requireExactly(envelope.path, asked)
  // Between the check and the reading of the copy it could be exchanged: what is read is what the job's row names.
  if (!signer) return approvedContent(parts, await writtenTo(await scratch(), unchanged(envelope)), asked)
  const path = await orHeld(() => coSigned({ ...parts, signer }, content, envelope, now, scratch))
  return approvedContent(parts, path, withProfile(asked, signer, parts))
}

/** The key that signs besides the approvers; null where none does. */
function keyFor({ profile, format, signer }: ApprovedParts, { signers }: ApprovedSignatures): DigestSigner | null {
  const isProducible = format === 'Cades' && profile.method === 'Local'
  if (!isProducible) throw new JobFailure('approval.signer-set-unsupported')
  if (profileSigns(signers) && !signer) throw new JobFailure('profile.key-unavailable')
  return profileSigns(signers) ? signer : null
}

function requirePresent({ envelope, thumbprints }: ApprovedSignatures) {
  const known = thumbprints.filter((thumbprint) => thumbprint !== null)
  if (envelope === null || known.length === 0 || known.length < thumbprints.length)
    throw new JobFailure('approval.signatures-missing')
  return { envelope, thumbprints: known }
}

async function requireExactly(path: string, asked: AskedSigners): Promise<void> {
  const { missing, problems } = await signerSetProblems(piecesOf(path), asked).catch((error: unknown) => {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new JobFailure(isGone ? 'approval.signatures-missing' : 'job.storage-failed', undefined, { cause: error })
  })
  const lines = problems.map(saidBoth)
  if (missing.length > 0) throw new JobFailure('approval.signatures-missing', undefined, { lines })
  if (problems.length === 0) return
  const why = reasonOf('signature-refused', { problems: inOne(problems), count: problems.length })
  throw new JobFailure('job.verification-failed', why, { lines })
}

/** The envelope with the profile's signature parallel to the others. */
async function coSigned(
  parts: PlanParts,
  content: Staged,
  envelope: NonNullable<ApprovedSignatures['envelope']>,
  now: Date,
  scratch: () => Promise<string>,
): Promise<string> {
  const { level, validateCertificate } = parts.profile
  const options = { now, level, allowExpired: !validateCertificate, ...(await helpers(parts)) }
  const source = () => (content.kind === 'memory' ? inOrder([content.bytes]) : unchanged(content))
  const signed = coSignCadesStream(unchanged(envelope), source, parts.signer, options)
  return writtenTo(await scratch(), signed)
}

/** One who approved with the profile's own certificate signed at the basic level: then any level is right. */
function withProfile(asked: AskedSigners, { certificate }: DigestSigner, { profile }: ApprovedParts): AskedSigners {
  const { fingerprint } = certificate
  const isShared = asked.thumbprints.includes(fingerprint)
  const thumbprints = [...asked.thumbprints, fingerprint]
  return { ...asked, thumbprints, ...(!isShared && { levels: { [fingerprint]: profile.level } }) }
}

const approvedContent = (parts: ApprovedParts, path: string, asked: AskedSigners): SignedContent => ({
  verify: () => requireExactly(path, asked),
  output: (now) => outputOf(parts, { path }, now),
})
