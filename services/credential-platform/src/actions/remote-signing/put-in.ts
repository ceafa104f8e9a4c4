// Puts a signature that a key elsewhere made into its document: once, whoever does it, and as often as it takes.
import type { StartedStep, StepName } from '@chancela/academic-documents/signatures'
import { Refusal } from '@chancela/service-kernel/errors'
import { Certificate } from '@chancela/signature-engine/x509'
import type { Transaction } from 'kysely'
import type { DocumentOutcome } from '../../contract/remote-signing.ts'
import { inserted, layOut } from '../../parts/signing/sign-steps.ts'
import type { Caller } from '../../rules/rights.ts'
import { documentOutcome, isPassing, reasonOf } from '../../rules/signing-outcomes.ts'
import type { KeptLayout, RemoteSignatureRow } from '../../store/remote-signing-tables.ts'
import { endSignature, findSignature, findSigning } from '../../store/remote-signings.ts'
import type { XmlDocumentRow } from '../../store/signing-tables.ts'
import type { Tables } from '../../store/tables.ts'
import { keepSigned, requiredDocument, requireHere, type SigningDependencies } from '../signing/sign-document.ts'
import { actingPerson, type RemoteJob } from './sign-all.ts'

/** What is kept of a signature. */
interface Kept {
  readonly row: RemoteSignatureRow
  readonly layout: KeptLayout
  readonly certificate: Certificate
  readonly issuers: readonly Certificate[]
}

/** Throws what is tried again; whatever will not get better is told with the document. */
export async function putIn(
  given: SigningDependencies,
  { signingId, documentId }: RemoteJob,
  complete: (tx: Transaction<Tables>) => Promise<void>,
): Promise<void> {
  const { db } = given.context.store
  const [signing, row] = await Promise.all([findSigning(db, signingId), findSignature(db, signingId, documentId)])
  if (!signing?.path || !row?.layout || row.outcome !== null) return
  const person = await actingPerson(given, signing)
  if (!person) return
  const [certificate, ...issuers] = (JSON.parse(signing.path) as string[]).map((der) =>
    Certificate.read(Buffer.from(der, 'base64')),
  )
  const layout = JSON.parse(row.layout) as KeptLayout
  const document = await requiredDocument(given.context, person, documentId)
  try {
    await signDocument(given, person, document, { row, layout, certificate: certificate!, issuers }, complete)
    given.signing.begun.forget(layout.uuid)
  } catch (error) {
    if (!(error instanceof Refusal) || isPassing(error)) throw error
    await endSignature(db, row, outcomeOf(error, document, layout), reasonOf(error))
  }
}

async function signDocument(
  given: SigningDependencies,
  person: Caller,
  document: XmlDocumentRow,
  { row, layout, certificate, issuers }: Kept,
  complete: (tx: Transaction<Tables>) => Promise<void>,
): Promise<void> {
  await requireHere(given.context, document)
  const before = await given.desk.bytesOf(document)
  const again = () => {
    const { uuid, step, at } = layout
    return layOut(document, before, { certificate, issuers, uuid, step: step as StepName, at: new Date(at) })
  }
  // Where others have signed meanwhile, their signatures are left out of what this one covers.
  const known = document.revision === layout.revision ? given.signing.begun.find(layout.uuid) : undefined
  const basic = inserted((known as StartedStep | undefined) ?? again(), Buffer.from(row.signature!, 'base64'))
  const signed = { before, basic, step: layout.step, certificate }
  await keepSigned(given, person, document, signed, given.context.clock(), async (tx) => {
    await endSignature(tx, row, 'signed')
    await complete(tx)
  })
}

/** A signature that was right over what the document was, and is not over what it is now. */
const outcomeOf = (refusal: Refusal, { revision }: XmlDocumentRow, layout: KeptLayout): DocumentOutcome => {
  const outcome = documentOutcome(refusal)
  return outcome === 'signature-invalid' && revision !== layout.revision ? 'changed' : outcome
}
