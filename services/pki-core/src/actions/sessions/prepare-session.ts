// The certificate of the person: what its key has to sign for each document.
import { randomUUID } from 'node:crypto'
import type { Certificate } from '@chancela/signature-engine/x509'
import type { CertificateAnswer } from '../../contract/session-page.ts'
import { judgeSigner } from '../../parts/signing/judge-signer.ts'
import { beginSignature, type KeyHolder } from '../../parts/signing/prepare-signature.ts'
import { unmetRequirement } from '../../rules/certificate-requirements.ts'
import type { Culture } from '../../rules/cultures.ts'
import { refuse } from '../../rules/refuse.ts'
import { signatureToSign } from '../../rules/to-sign.ts'
import type { SessionDocumentRow, SessionRow } from '../../store/session-tables.ts'
import { keepPlan, reviseSession, sessionDocuments } from '../../store/sessions.ts'
import {
  base64Of,
  issuersFor,
  levelIn,
  requiredCertificate,
  requiredContext,
  type SigningDependencies,
} from '../signatures/prepare-signature.ts'
import { fileIn, type PlanOf, planDocument, plannedIn, refused } from './session-document.ts'
import { requirePending } from './session-page.ts'

const failed = () => ({ success: false, unmetRequirement: null, state: null, documents: [] })

export async function setCertificate(
  dependencies: SigningDependencies,
  session: SessionRow,
  content: string,
  { culture, base, now }: { readonly culture: Culture; readonly base: string; readonly now: Date },
): Promise<CertificateAnswer> {
  requirePending(session, now)
  const owner = { subscriptionId: session.subscription_id }
  const context = await requiredContext(dependencies, owner, session.context_id)
  const certificate = requiredCertificate({ content })
  const judged = await judgeSigner(certificate, context, { culture, ignoresUnknown: false }, now)
  const told = { validationResults: judged.validationResults, certificate: judged.certificate }
  if (!judged.isValid) return { ...failed(), failure: 'CertificateValidationFailed', ...told }
  const unmet = unmetRequirement(JSON.parse(session.requirements), judged.certificate)
  if (unmet) return { ...failed(), failure: 'CertificateRequirementNotMet', unmetRequirement: unmet.type, ...told }
  const level = levelIn(dependencies.context, context)
  const holder = { certificate, chain: issuersFor(level, judged) }
  const input = { taker: { ...owner, base, now }, certificate, level, culture }
  const documents = await preparedAll(dependencies, session, holder, input)
  const state = await keep(dependencies, session, holder, judged.issuers, documents)
  return {
    success: true,
    failure: null,
    unmetRequirement: null,
    ...told,
    state,
    documents: documents.map(({ id, prepared }) => ({ id, ...signatureToSign(prepared) })),
  }
}

async function preparedAll(dependencies: SigningDependencies, session: SessionRow, holder: KeyHolder, input: PlanOf) {
  const rows = await sessionDocuments(dependencies.context.store.db, session.id)
  if (rows.length === 0) throw refuse('BadSignatureSessionOperation', { reason: 'It has no document yet.' })
  const all = []
  // One after the other: a document may have a hundred megabytes.
  for (const row of rows) all.push(await preparedOne(dependencies, row, holder, input))
  return all
}

async function preparedOne(
  dependencies: SigningDependencies,
  row: SessionDocumentRow,
  holder: KeyHolder,
  input: PlanOf,
) {
  const bytes = await dependencies.files.read(fileIn(row))
  const plan = await planDocument(plannedIn(row), bytes, input)
  try {
    const { toSign, algorithm } = await beginSignature(dependencies, bytes, holder, plan)
    return { id: row.id, plan, prepared: { toSign, algorithm } }
  } catch (error) {
    throw refused(error)
  }
}

type Prepared = Awaited<ReturnType<typeof preparedAll>>

/** Kept for these documents only: whoever adds or removes one meanwhile makes it void. */
async function keep(
  { context }: SigningDependencies,
  session: SessionRow,
  { certificate }: KeyHolder,
  issuers: readonly Certificate[],
  documents: Prepared,
): Promise<string> {
  const revision = randomUUID()
  const set = {
    expected: session.revision,
    certificate: base64Of(certificate),
    issuers: JSON.stringify(issuers.map(base64Of)),
  }
  await context.store.transaction(async (tx) => {
    if (!(await reviseSession(tx, session.id, revision, set)))
      throw refuse('BadSignatureSessionOperation', { reason: 'The session has changed meanwhile.' })
    for (const { id, plan, prepared } of documents)
      await keepPlan(tx, id, {
        plan: JSON.stringify(plan),
        to_sign: Buffer.from(prepared.toSign).toString('base64'),
      })
  })
  return revision
}
