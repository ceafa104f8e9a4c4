import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type CadesLevel, signCades, signCadesStream } from '@chancela/signature-engine/cades'
import { type PadesLevel, signPades } from '@chancela/signature-engine/pades'
import { signXades } from '@chancela/signature-engine/xades'
import { approversSign } from '../../rules/approval-rule.ts'
import type { SignatureFormat } from '../../rules/job.ts'
import { JobFailure } from '../../rules/job-failure.ts'
import { reasonOf } from '../../rules/job-reason.ts'
import { outputName } from '../../rules/output-name.ts'
import type { Staged } from '../../upstream/storage/storage.ts'
import { approvedSigning } from './approved-signing.ts'
import { checkSignature } from './check-signature.ts'
import { requireGood } from './find-condition.ts'
import {
  changedCopy,
  helpers,
  orHeld,
  outputOf,
  type PlanParts,
  type Signed,
  unchanged,
  writtenTo,
} from './plan-parts.ts'
import type { SignedContent, SigningPlan } from './signing.ts'
import { visibleAppearance } from './visible-appearance.ts'

/** How one job is signed. */
export function signingPlan(parts: PlanParts): SigningPlan {
  const { profile, format, signer, recipients, gate } = parts
  const encrypts = recipients.length > 0
  const sign: SigningPlan['sign'] = async (content, now, scratch) => {
    const signed = await orHeld(() => signers[format](parts, content, now, scratch))
    return signedContent(parts, signed, now)
  }
  return {
    profile,
    format,
    encrypts,
    outputName: (fileName) => outputName(fileName, { ...profile, format, encrypted: encrypts }),
    validateCertificate: async (now) => {
      if (profile.validateCertificate) await requireGood(gate, signer, now)
    },
    sign,
    signApproved: (content, approved, now, scratch) =>
      approversSign(approved.signers)
        ? approvedSigning(parts, content, approved, now, scratch)
        : sign(content, now, scratch),
  }
}

function signedContent(parts: PlanParts, signed: Signed, signedAt: Date): SignedContent {
  const { profile, format, signer } = parts
  const { certificate, chain } = signer
  const asked = { format, level: profile.level, certificate, chain, now: signedAt }
  return {
    verify: () => checkSignature('path' in signed ? signed : joined(signed), asked),
    output: (now) => outputOf(parts, signed, now),
  }
}

const joined = (pieces: readonly Uint8Array[]): Uint8Array => (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces))

type Signer = (parts: PlanParts, content: Staged, now: Date, scratch: () => Promise<string>) => Promise<Signed>

const signers: Readonly<Record<SignatureFormat, Signer>> = {
  Pades: async (parts, content, now) => {
    const document = await documentOf(parts, content)
    const level = parts.profile.level as PadesLevel
    const shown = shownBy(parts, now)
    const options = { now, level, ...shown, ...digestCarriedOn(parts, content), ...(await helpers(parts)) }
    // Verification needs the file in one piece; without it the document is not copied at all.
    if (parts.profile.verify)
      return [await signPades(document, parts.signer, { ...options, output: 'whole', verified: 'later' })]
    return [document, await signPades(document, parts.signer, { ...options, output: 'appended' })]
  },
  Xades: async (parts, content, now) => {
    const document = await documentOf(parts, content)
    const { level } = parts.profile
    return [await signXades(document, parts.signer, { now, level, packaging: 'enveloped', ...(await helpers(parts)) })]
  },
  Cades: async (parts, content, now, scratch) => {
    const level: CadesLevel = parts.profile.level
    // As with the other formats: the profile decides whether the certificate is validated.
    const allowExpired = !parts.profile.validateCertificate
    const options = { now, level, allowExpired, packaging: 'attached', ...(await helpers(parts)) } as const
    if (content.kind === 'memory') return [await signCades(content.bytes, parts.signer, options)]
    const source = () => unchanged(content)
    const stream = signCadesStream(source, parts.signer, { ...options, length: content.length })
    return { path: await writtenTo(await scratch(), stream) }
  },
}

/** What the signature shows and says besides. */
function shownBy({ profile, signer, timeZone }: PlanParts, now: Date) {
  const appearance = visibleAppearance(profile, signer.certificate, { now, timeZone })
  return {
    ...(appearance && { appearance }),
    ...(profile.signatureReason !== null && { reason: profile.signatureReason }),
    ...(profile.signatureLocation !== null && { location: profile.signatureLocation }),
  }
}

/** The bytes were hashed while they were staged; Ed25519 uses another digest. */
const digestCarriedOn = ({ signer }: PlanParts, content: Staged) =>
  content.kind === 'memory' && content.digestState && signer.certificate.keyType !== 'ed25519'
    ? { digestState: content.digestState }
    : {}

/** The document in memory: PDF and XML can only be signed there. */
async function documentOf({ format, maxDocumentBytes }: PlanParts, content: Staged): Promise<Buffer> {
  if (content.length > maxDocumentBytes) {
    const facts = { length: content.length, format, limit: maxDocumentBytes }
    throw new JobFailure('job.signing-failed', reasonOf('too-large-to-sign', facts))
  }
  if (content.kind === 'memory') return content.bytes
  const bytes = await readFile(content.path).catch((cause: unknown) => {
    throw new JobFailure('job.storage-failed', reasonOf('copy-unreadable'), { cause })
  })
  if (createHash('sha256').update(bytes).digest('hex') !== content.sha256) throw changedCopy()
  return bytes
}
