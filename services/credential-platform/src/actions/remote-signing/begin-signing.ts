// A person chooses documents to be signed by a key elsewhere. What they hash to is not known yet: it depends on the
// certificate.
import { Refusal } from '@chancela/service-kernel/errors'
import type { DocumentOutcome } from '../../contract/remote-signing.ts'
import type { SigningLinks } from '../../parts/signing/signing-links.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { documentOutcome, reasonOf } from '../../rules/signing-outcomes.ts'
import type { RemoteSignatureRow, RemoteSigningRow } from '../../store/remote-signing-tables.ts'
import type { SigningPerson } from '../../store/signers.ts'
import type { XmlDocumentRow } from '../../store/signing-tables.ts'
import { requiredDocument, requireHere, type SigningDependencies } from '../signing/sign-document.ts'
import { requiredSigner, titleOf } from './signer.ts'

export interface RemoteDependencies extends SigningDependencies {
  readonly links: SigningLinks
}

/** One of the chosen documents, and why it cannot be signed by this person now. */
export interface Chosen {
  readonly document: XmlDocumentRow
  readonly title: string
  readonly wantsCompany: boolean
  readonly problem: { readonly outcome: DocumentOutcome; readonly reason: string } | undefined
}

/** Those that cannot be signed are told one by one; refused where none can. */
async function chosenDocuments(
  given: RemoteDependencies,
  caller: Caller,
  person: SigningPerson,
  ids: readonly string[],
): Promise<readonly Chosen[]> {
  const documents = await Promise.all(ids.map((id) => requiredDocument(given.context, caller, id)))
  const chosen = await Promise.all(documents.map((document) => chosenOne(given, person, document)))
  const [first] = chosen
  if (chosen.every(({ problem }) => problem)) throw refuse('signing-refused', { reason: first!.problem!.reason })
  return chosen
}

async function chosenOne(
  { context, desk }: RemoteDependencies,
  { cpf }: SigningPerson,
  document: XmlDocumentRow,
): Promise<Chosen> {
  const { steps, next } = desk.progressOf(document, await desk.bytesOf(document))
  const open = steps.filter(({ step }) => next.includes(step.name))
  const people = open.filter(({ step }) => step.certificate === 'eCpf')
  const isAwaited = people.length === 0 || people.some(({ missing }) => missing.length === 0 || missing.includes(cpf!))
  const title = await titleOf(context, document)
  const chosen = { document, title, wantsCompany: people.length === 0 }
  try {
    await requireHere(context, document)
    if (open.length === 0) throw refuse('signing-refused', { reason: 'It waits for no signature.', refusal: 'closed' })
    if (!isAwaited)
      throw refuse('signing-refused', { reason: `It does not wait for CPF ${cpf}.`, refusal: 'not-a-signatory' })
    return { ...chosen, problem: undefined }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...chosen, problem: { outcome: documentOutcome(error), reason: reasonOf(error) } }
  }
}

export const rowsOf = (signingId: string, chosen: readonly Chosen[]): RemoteSignatureRow[] =>
  chosen.map(({ document, title, problem }, position) => ({
    signing_id: signingId,
    document_id: document.id,
    position,
    title,
    layout: null,
    signature: null,
    outcome: problem?.outcome ?? null,
    reason: problem?.reason ?? null,
  }))

/** What both ways begin with. */
export async function prepared(given: RemoteDependencies, caller: Caller, ids: readonly string[]) {
  const person = await requiredSigner(given.context, caller)
  if (person.cpf === null) throw refuse('signer-required')
  const chosen = await chosenDocuments(given, caller, person, ids)
  const { id: user_id, subscriptionId: subscription_id } = person
  return { person, chosen, signable: chosen.filter(({ problem }) => !problem), owner: { user_id, subscription_id } }
}

export const fresh = (now: Date): Pick<RemoteSigningRow, 'created_at' | 'taken_at' | 'outcome' | 'path'> => ({
  created_at: now.toISOString(),
  taken_at: null,
  outcome: null,
  path: null,
})
