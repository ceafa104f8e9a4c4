// Who signed a file, with each signature validated (document-platform facts 1.10).
import { createHash } from 'node:crypto'
import { untrustingJudge } from '@chancela/service-kernel/trust'
import { EngineError } from '@chancela/signature-engine'
import { validateCades } from '@chancela/signature-engine/cades'
import type { CertificateVerdict, Judge } from '@chancela/signature-engine/judgement'
import { validatePades } from '@chancela/signature-engine/pades'
import {
  type Finding,
  findingText,
  type SignatureReport,
  type TimestampReport,
  type ValidationReport,
} from '@chancela/signature-engine/report'
import { type Certificate, holderOf } from '@chancela/signature-engine/x509'
import { validateXades } from '@chancela/signature-engine/xades'
import type { Static } from 'typebox'
import type { SignerInfo } from '../../contract/models.ts'
import { refuse } from '../../rules/refuse.ts'
import type { SignatureFormat } from '../../rules/vocabulary.ts'
import type { ParticipantRow, SignatureRow } from '../../store/tables.ts'
import type { Evidence } from './evidence.ts'
import type { Signing } from './open-signing.ts'
import { signatureResults } from './validation-results.ts'

type Signer = Static<typeof SignerInfo>

/** What the instance stores about a signature besides the file: its participant and the evidence. */
export interface RecordedSignature {
  readonly row: SignatureRow
  readonly participant: ParticipantRow | undefined
}

const validators: Readonly<
  Record<SignatureFormat, (file: Uint8Array, options: { judge: Judge; now: Date }) => Promise<ValidationReport>>
> = { Pades: validatePades, Cades: validateCades, Xades: validateXades }

/** The signers of a file. Throws EngineError when the bytes are not a signed file. */
export async function signersOf(
  signing: Signing,
  file: Uint8Array,
  format: SignatureFormat,
  recorded: readonly RecordedSignature[],
  now: Date,
): Promise<readonly Signer[]> {
  const own = await ownCertificates(signing, recorded)
  const judge = trustingAlso(await judgeOf(signing), own)
  const { signatures, findings } = await validators[format](file, { judge, now })
  const broken = signatures.length === 0 && findings.find(isBroken)
  if (broken) throw refuse('DocumentTypeNotSupported', { reason: findingText(broken, 'en-US') })
  const open = new Set(recorded)
  return signatures.map((signature) => {
    const known = nearestOf(signature, open)
    if (known) open.delete(known)
    return signerOf(signature, known, own)
  })
}

/** Whether a file without signatures has none because it cannot be read. */
const isBroken = ({ code, severity }: Finding): boolean => severity === 'error' && code !== 'no-signature'

/** While the trusted roots are unavailable, signatures are still shown, and none is trusted. */
async function judgeOf({ trust }: Signing): Promise<Judge> {
  try {
    return await trust.judge()
  } catch (error) {
    if (error instanceof EngineError) return untrustingJudge
    throw error
  }
}

/** The certificates with which this instance sealed electronic signatures, in base64. */
async function ownCertificates(
  { electronic }: Signing,
  recorded: readonly RecordedSignature[],
): Promise<ReadonlySet<string>> {
  const { certificate } = await electronic.signer()
  const former = recorded.flatMap(({ row }) => (row.kind === 'electronic' && row.certificate ? [row.certificate] : []))
  return new Set([certificate.der.toString('base64'), ...former])
}

/** The instance vouches for the certificates of its electronic signatures; no authority does. */
const trustingAlso = (judge: Judge, own: ReadonlySet<string>): Judge => ({
  ...judge,
  certificate: async (certificate, options) =>
    own.has(certificate.der.toString('base64'))
      ? vouched(certificate, options.at)
      : judge.certificate(certificate, options),
})

const vouched = (certificate: Certificate, at: Date): CertificateVerdict => ({
  indication: 'valid',
  reasons: [],
  at,
  path: [certificate],
  anchor: certificate,
  policies: [],
  revocation: [],
})

/** The record of a signature: the same certificate, and the nearest time where it signed several times. */
function nearestOf(
  { signer, claimedTime }: SignatureReport,
  recorded: ReadonlySet<RecordedSignature>,
): RecordedSignature | undefined {
  const der = signer?.certificate.der.toString('base64')
  const distance = ({ row }: RecordedSignature) => Math.abs(Date.parse(row.at) - (claimedTime?.getTime() ?? 0))
  return [...recorded].filter(({ row }) => row.certificate === der).toSorted((a, b) => distance(a) - distance(b))[0]
}

function signerOf(report: SignatureReport, known: RecordedSignature | undefined, own: ReadonlySet<string>): Signer {
  const { signer, claimedTime, kind } = report
  const certificate = signer?.certificate
  const isElectronic = certificate !== undefined && own.has(certificate.der.toString('base64'))
  const person = isElectronic ? known?.participant : undefined
  return {
    subjectName: person?.name ?? signer?.name ?? null,
    emailAddress: person?.email ?? signer?.email ?? null,
    issuerName: signer?.issuer ?? null,
    identifier: person?.identifier ?? signer?.cpf ?? null,
    companyName: certificate && signer?.cnpj ? holderOf(certificate).organization : null,
    companyIdentifier: signer?.cnpj ?? null,
    isElectronic,
    isTimestamp: kind === 'document-timestamp',
    signingTime: claimedTime?.toISOString() ?? null,
    certificateThumbprint: certificate ? createHash('sha256').update(certificate.der).digest('base64') : null,
    validityStart: certificate?.notBefore.toISOString() ?? null,
    validityEnd: certificate?.notAfter.toISOString() ?? null,
    signatureTimestamps: timestampsOf(report, 'signature'),
    archiveTimestamps: timestampsOf(report, 'archive', 'document'),
    attributeCertificates: [],
    evidences: known ? evidenceView(JSON.parse(known.row.evidences) as Evidence) : null,
    validationResults: signatureResults(report),
  }
}

const timestampsOf = ({ timestamps }: SignatureReport, ...kinds: readonly TimestampReport['kind'][]) =>
  timestamps.flatMap(({ kind, time, authority }) =>
    kinds.includes(kind) && time ? [{ genTime: time.toISOString(), authority }] : [],
  )

const evidenceView = (evidence: Evidence): Signer['evidences'] => ({
  ipAddress: evidence.ipAddress,
  authenticationTypes: [...evidence.authenticationTypes],
  authenticatedEmail: evidence.authenticatedEmail,
  authenticatedApplication: evidence.authenticatedApplication,
  ...(evidence.geolocation !== undefined && { geolocation: evidence.geolocation }),
  timestamp: evidence.timestamp,
  evidencesSha256: evidence.evidencesSha256,
})

/** The data of a signer that anybody with the verification code may see. */
export const publicSigner = (signer: Signer, maskedCpf: (cpf: string) => string | undefined): Signer => ({
  ...signer,
  emailAddress: null,
  identifier: signer.identifier === null ? null : (maskedCpf(signer.identifier) ?? null),
  evidences: null,
})
