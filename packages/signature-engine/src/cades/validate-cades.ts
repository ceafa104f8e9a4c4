import type { Hash } from 'node:crypto'
import { archiveHashStart } from '../cms/archive-timestamp.ts'
import { type JudgeSignerOptions, judgeSignerInfo } from '../cms/judge-signer-info.ts'
import { readSignedData, type SignedData } from '../cms/signed-data.ts'
import type { DigestName } from '../crypto/algorithms.ts'
import { digest, startDigest } from '../crypto/digest.ts'
import { readDigestIdentifier } from '../crypto/read-identifiers.ts'
import { readDer } from '../der/der-value.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import type { PolicyCatalogue } from '../policies/policy-catalogue.ts'
import { documentIndication } from '../report/indications.ts'
import { type Finding, finding, type SignatureReport, type ValidationReport } from '../report/report.ts'
import { type PolicyOption, underPolicy } from '../validation-policy/apply-policy.ts'
import { firstCms } from './cades-file.ts'
import { readSignedDataStream } from './streamed-signed-data.ts'

export interface ValidateCadesOptions extends PolicyOption {
  readonly judge: Judge
  readonly now: Date
  /** The content of a detached signature; as a stream it is hashed and not kept. */
  readonly content?: Uint8Array | AsyncIterable<Uint8Array>
  /** Digests of that content, where it stays elsewhere itself. */
  readonly contentDigests?: Readonly<Partial<Record<DigestName, Uint8Array>>>
  /** With these digests: the start of an archive-time-stamp-v2 imprint, as `detachCadesContent` gives it. */
  readonly archiveHash?: (name: DigestName) => Hash | undefined
  /** Lists of policies beyond the engine's own table. */
  readonly policies?: PolicyCatalogue
  /** The file is known to have existed at this time: that of a valid timestamp over it and its content. */
  readonly latestProof?: Date
}

/** Validates every signature of a CMS file: DER, BER, PEM or base64. Bytes that are no CMS at all are refused. */
export async function validateCades(document: Uint8Array, options: ValidateCadesOptions): Promise<ValidationReport> {
  requireArguments('validateCades', { document: [document, 'bytes'] }, options, ['judge', 'now'])
  const { cms, trailing } = firstCms(document)
  const report = await judgedInMemory(readSignedData(cms), options)
  return underPolicy(withTrailing(report, trailing), options.policy)
}

function withTrailing(report: ValidationReport, bytes: number): ValidationReport {
  if (bytes === 0) return report
  return { ...report, findings: [...report.findings, finding('trailing-bytes', { bytes })] }
}

async function judgedInMemory(signedData: SignedData, options: ValidateCadesOptions): Promise<ValidationReport> {
  const { content } = options
  if (content && !(content instanceof Uint8Array))
    return validated(signedData, await streamed(signedData, content), options)
  const bytes = signedData.content ?? content
  const access = bytes ? inMemory(signedData, bytes) : (byDigests(options) ?? inMemory(signedData, undefined))
  const report = await validated(signedData, access, options)
  // A content that was passed must be the one inside.
  return content && signedData.content && !signedData.content.equals(content) ? withChangedContent(report) : report
}

/** Validates an attached signature of any size in constant memory; DER or BER. */
export async function validateCadesStream(
  source: AsyncIterable<Uint8Array>,
  options: Omit<ValidateCadesOptions, 'content'>,
): Promise<ValidationReport> {
  requireArguments('validateCadesStream', { source: [source, 'stream'] }, options, ['judge', 'now'])
  const { signedData, digest: contentDigest, archiveHash, trailing } = await readSignedDataStream(source)
  const report = await validated(signedData, { contentDigest, archiveHash }, options)
  return underPolicy(withTrailing(report, trailing), options.policy)
}

/** How the signers' content is reached. */
type ContentAccess = Pick<JudgeSignerOptions, 'contentDigest' | 'content' | 'archiveHash'>

const byDigests = ({ contentDigests: known, archiveHash }: ValidateCadesOptions): ContentAccess | undefined =>
  known && { contentDigest: (name) => known[name], ...(archiveHash && { archiveHash }) }

function inMemory(signedData: SignedData, content: Uint8Array | undefined): ContentAccess {
  const known = new Map<DigestName, Buffer>()
  return {
    content,
    contentDigest: (name) => {
      if (!content) return undefined
      if (!known.has(name)) known.set(name, digest(name, content))
      return known.get(name)
    },
    archiveHash: (name) => archiveHashStart(signedData, name, content),
  }
}

async function streamed(signedData: SignedData, content: AsyncIterable<Uint8Array>): Promise<ContentAccess> {
  const names = new Set<DigestName>(['sha256', ...signedData.digestAlgorithms.flatMap((raw) => nameOf(raw) ?? [])])
  const hashes = new Map([...names].map((name) => [name, startDigest(name)]))
  const archives = new Map<DigestName, Hash>(
    [...names].map((name) => [name, startDigest(name).update(signedData.encapsulated)]),
  )
  for await (const piece of content) {
    for (const hash of hashes.values()) hash.update(piece)
    for (const hash of archives.values()) hash.update(piece)
  }
  const digests = new Map([...hashes].map(([name, hash]) => [name, hash.digest()]))
  return { contentDigest: (name) => digests.get(name), archiveHash: (name) => archives.get(name) }
}

const nameOf = (identifier: Buffer): DigestName | undefined => readDigestIdentifier(readDer(identifier))

async function validated(
  signedData: SignedData,
  access: ContentAccess,
  { judge, now, policies, latestProof }: Omit<ValidateCadesOptions, 'content'>,
): Promise<ValidationReport> {
  const signatures: SignatureReport[] = []
  for (const [at, signer] of signedData.signers.entries()) {
    const judged = await judgeSignerInfo(signedData, signer, {
      ...access,
      judge,
      now,
      format: 'CAdES',
      policies,
      latestProof,
    })
    signatures.push({
      ...judged,
      kind: 'signature',
      name: `signature ${at + 1}`,
      coverage: {
        wholeDocument: true,
        description: signedData.content === null ? 'the detached content' : 'the content inside the signature',
      },
    })
  }
  const findings: Finding[] = signatures.length === 0 ? [finding('no-signature')] : []
  return { format: 'CAdES', indication: documentIndication(signatures), judgedAt: now, signatures, findings }
}

const withChangedContent = (report: ValidationReport): ValidationReport => ({
  ...report,
  indication: 'invalid',
  findings: [...report.findings, finding('content-changed', { reason: 'the content passed is not the one inside' })],
})

/** The content of an attached signature; null for a detached one. */
export function cadesContent(document: Uint8Array): Buffer | null {
  requireArguments('cadesContent', { document: [document, 'bytes'] })
  return readSignedData(firstCms(document).cms).content
}
