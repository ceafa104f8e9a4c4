import type { SignaturePlan } from '../../parts/signing/signature-plan.ts'
import { holderIn } from '../../parts/trust/known-certificates.ts'
import type { Culture } from '../../rules/cultures.ts'
import type { SessionDocumentRow, SessionRow } from '../../store/session-tables.ts'
import type { NewDocument } from '../documents/record-document.ts'
import { signedDocument } from '../signatures/complete-signature.ts'
import type { SigningDependencies } from '../signatures/prepare-signature.ts'

/** Whose certificate was set, with all issuers up to the root. */
export const holderOf = ({ certificate, issuers }: SessionRow) =>
  holderIn({ certificate: certificate!, issuers: issuers ?? '[]' })

/** A document with its signature in place; the bytes are durable. */
export async function signedSessionDocument(
  dependencies: SigningDependencies,
  session: SessionRow,
  row: SessionDocumentRow,
  culture: Culture,
): Promise<NewDocument> {
  const plan = JSON.parse(row.plan!) as SignaturePlan
  const { certificate, chain } = holderOf(session)
  // As when it was prepared: verifiers have the root, unless it decides the version of the policy.
  const holder = { certificate, chain: plan.level === 'AD-RB' ? chain : chain.slice(0, -1) }
  const file = { ...row, file_digest: row.file_digest! }
  const signature = Buffer.from(row.signature!, 'base64')
  const document = await signedDocument(dependencies, file, plan, holder, signature, culture)
  return { ...document, id: row.id, metadata: JSON.parse(row.metadata) }
}
