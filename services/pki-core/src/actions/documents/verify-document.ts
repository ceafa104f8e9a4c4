// A document that anybody checks by the key printed on it: who signed it, and whether that holds today.
import type { SignatureReport } from '@chancela/signature-engine/report'
import type { Verification } from '../../contract/verification.ts'
import { readSignatures } from '../../parts/signing/read-signatures.ts'
import { signatureResults } from '../../parts/signing/signature-results.ts'
import type { Culture } from '../../rules/cultures.ts'
import { formattedKey, readDocumentKey } from '../../rules/document-key.ts'
import { isValid } from '../../rules/validation-results.ts'
import { maskedIdentifier } from '../../rules/visual-text.ts'
import type { DocumentRow } from '../../store/document-tables.ts'
import { fileOf, findByPublicKey } from '../../store/documents.ts'
import { signedFileOfDocument } from '../inspection/inspect-signature.ts'
import type { SigningDependencies } from '../signatures/prepare-signature.ts'

const MOST_JUDGED = 10

export async function verify(
  dependencies: SigningDependencies,
  text: string,
  culture: Culture,
  now: Date,
): Promise<Verification> {
  const key = readDocumentKey(text)
  const row = key && (await findByPublicKey(dependencies.context.store.db, key))
  if (!row) return { found: false, document: null }
  const reports = await judged(dependencies, row, now)
  const { digest, name } = fileOf(row, 'signed')
  return {
    found: true,
    document: {
      formattedKey: formattedKey(row.key),
      name,
      signatureType: row.signature_type,
      sha256: digest,
      signers: reports.filter(({ kind }) => kind === 'signature').map((report) => shownSigner(report, culture)),
    },
  }
}

async function judged(dependencies: SigningDependencies, row: DocumentRow, now: Date) {
  const trust = await dependencies.contexts.default(row.subscription_id)
  const file = await signedFileOfDocument(dependencies.files, row)
  return readSignatures(file, { ...(trust && { judge: await trust.judge() }), mostJudged: MOST_JUDGED, now })
}

const shownSigner = (report: SignatureReport, culture: Culture) => ({
  name: report.signer?.name ?? null,
  identifier: maskedIdentifier(report.signer?.cpf ?? report.signer?.cnpj ?? null),
  issuer: report.signer?.certificate.issuer.commonName ?? null,
  signedAt: report.claimedTime?.toISOString() ?? null,
  isValid: isJudged(report) ? isValid(signatureResults(report, { culture, ignoresUnknown: false })) : null,
})

const isJudged = ({ findings }: SignatureReport): boolean => !findings.some(({ code }) => code === 'content-missing')
