// Whoever has a key signs a document in two phases; anybody of the organization sees how far it has come.
import type { StepName } from '@chancela/academic-documents/signatures'
import { Refusal } from '@chancela/service-kernel/errors'
import { EngineError } from '@chancela/signature-engine'
import { Certificate, holderOf } from '@chancela/signature-engine/x509'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { DocumentView } from '../../contract/signing.ts'
import { planOf, type SigningDesk } from '../../parts/signing/desk.ts'
import type { Signing } from '../../parts/signing/open-signing.ts'
import { finished, inserted, judgedIssuers, layOut } from '../../parts/signing/sign-steps.ts'
import { openToken, sealToken } from '../../parts/signing/signature-token.ts'
import { platformWordsInBoth } from '../../rules/platform-words.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../rules/texts.ts'
import { documentsOf, findDocument } from '../../store/documents.ts'
import { liveSending, newestSending } from '../../store/platform-documents.ts'
import type { PlatformDocumentRow } from '../../store/platform-tables.ts'
import type { XmlDocumentRow } from '../../store/signing-tables.ts'
import type { Tables } from '../../store/tables.ts'
import { record } from '../tenants/acting.ts'

export interface SigningDependencies {
  readonly context: Context
  readonly signing: Signing
  readonly desk: SigningDesk
}

export async function requiredDocument(
  { store }: Pick<Context, 'store'>,
  { subscriptionId }: Pick<Caller, 'subscriptionId'>,
  id: string,
): Promise<XmlDocumentRow> {
  const found = await findDocument(store.db, idOf(id))
  if (found?.subscription_id !== subscriptionId) throw refuse('document-not-found', { id })
  return found
}

async function viewOf({ context, desk }: SigningDependencies, row: XmlDocumentRow): Promise<DocumentView> {
  const { steps, next } = desk.progressOf(row, await desk.bytesOf(row))
  const { levels } = planOf(row)
  const sending = await newestSending(context.store.db, row.id)
  return {
    id: row.id,
    ownerKind: row.owner_kind,
    ownerId: row.owner_id,
    documentKind: row.document_kind,
    status: row.status,
    revision: row.revision,
    error: row.error,
    errorMessages: platformWordsInBoth(row.error),
    steps: steps.map(({ step, state, signatures, missing }) => ({
      name: step.name,
      certificateKind: step.certificate,
      level: levels[step.name] ?? step.level,
      state,
      signers: signatures.map(({ signer }) => signer),
      missing: [...missing],
    })),
    next: row.status === 'Open' && !isThere(sending) ? [...next] : [],
    platform: sending ? sendingView(sending) : null,
    creationDate: row.created_at,
    updateDate: row.updated_at,
    closingDate: row.closed_at,
  }
}

const isThere = (sending: PlatformDocumentRow | undefined): boolean =>
  sending?.status === 'Sending' || sending?.status === 'Sent'

const sendingView = ({ status, signer_document_id, signer_document_url, error }: PlatformDocumentRow) => ({
  status,
  documentId: signer_document_id,
  documentUrl: signer_document_url,
  error,
  errorMessages: platformWordsInBoth(error),
})

export async function listed(given: SigningDependencies, { subscriptionId }: Caller, ownerId: string) {
  const rows = await documentsOf(given.context.store.db, idOf(ownerId))
  const own = rows.filter(({ subscription_id }) => subscription_id === subscriptionId)
  return { items: await Promise.all(own.map((row) => viewOf(given, row))) }
}

export const read = async (given: SigningDependencies, caller: Caller, id: string): Promise<DocumentView> =>
  viewOf(given, await requiredDocument(given.context, caller, id))

export async function content({ context, desk }: SigningDependencies, caller: Caller, id: string) {
  const document = await requiredDocument(context, caller, id)
  return { digest: document.digest, bytes: await desk.bytesOf(document) }
}

export async function start(
  { context, signing, desk }: SigningDependencies,
  caller: Caller,
  id: string,
  { certificate: text, step: asked }: { readonly certificate: string; readonly step?: string },
  now: Date,
) {
  const document = await requiredDocument(context, caller, id)
  await requireHere(context, document)
  const certificate = certificateIn(text)
  const issuers = await judgedIssuers(signing, certificate, [], now)
  const uuid = crypto.randomUUID()
  const bytes = await desk.bytesOf(document)
  const requireHardware = context.settings.Signing.RequireHardwareKeys
  const layout = { certificate, issuers, step: asked as StepName | undefined, uuid, at: now, requireHardware }
  const started = layOut(document, bytes, layout)
  signing.begun.remember(uuid, started, bytes.length)
  const { digest, algorithm, step } = started
  const token = { documentId: document.id, revision: document.revision, step: step.name, uuid, at: now }
  return {
    token: sealToken(context, { ...token, certificate, issuers }),
    step: step.name,
    toSignHash: Buffer.from(digest).toString('base64'),
    digestAlgorithm: algorithm.digest,
    signatureAlgorithm: algorithm.name,
  }
}

export async function complete(
  given: SigningDependencies,
  caller: Caller,
  id: string,
  { token: text, signature }: { readonly token: string; readonly signature: string },
  now: Date,
): Promise<DocumentView> {
  const { context, signing, desk } = given
  const document = await requiredDocument(context, caller, id)
  const token = openToken(context, document.id, text, now)
  await requireHere(context, document)
  if (token.revision !== document.revision) throw refuse('changed-meanwhile')
  const { certificate } = token
  await judgedIssuers(signing, certificate, token.issuers, now)
  const before = await desk.bytesOf(document)
  const started = signing.begun.find(token.uuid) ?? layOut(document, before, { ...token, step: token.step as StepName })
  const basic = inserted(started as ReturnType<typeof layOut>, Buffer.from(signature, 'base64'))
  const row = await keepSigned(given, caller, document, { before, basic, step: token.step, certificate }, now)
  signing.begun.forget(token.uuid)
  return viewOf(given, row)
}

/** A document with a key's answer in it, which may not have its level yet. */
interface BasicallySigned {
  readonly before: Buffer
  readonly basic: Buffer
  readonly step: string
  readonly certificate: Certificate
}

/** Brings a signature to its level and keeps it, with who signed; `beside` joins the transaction. */
export async function keepSigned(
  { signing, desk }: SigningDependencies,
  caller: Caller,
  document: XmlDocumentRow,
  { before, basic, step, certificate }: BasicallySigned,
  now: Date,
  beside: (tx: Transaction<Tables>) => Promise<void> = async () => {},
): Promise<XmlDocumentRow> {
  const { cpf, cnpj } = holderOf(certificate)
  const signer = cnpj ?? cpf
  const after = await finishedOrLater(signing, basic, now)
  const act = { type: 'DocumentSigned', entity: entityOf(document), data: { step, signer } }
  return desk.advance(document, { before, after, step, signer }, now, async (tx) => {
    await record(tx, caller, act, now)
    await beside(tx)
  })
}

const entityOf = ({ owner_kind, owner_id }: XmlDocumentRow) => ({ type: owner_kind, id: owner_id })

/** A person's signature is not lost because an authority is silent: the worker adds what is missing. */
async function finishedOrLater(signing: Signing, basic: Buffer, now: Date): Promise<Buffer> {
  try {
    return await finished(signing, basic, now)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'signing-unavailable') return basic
    throw error
  }
}

/** Open, and not on its way to another place where people sign. */
export async function requireHere(
  { store }: Pick<Context, 'store'>,
  { id, status }: Pick<XmlDocumentRow, 'id' | 'status'>,
): Promise<void> {
  if (status !== 'Open') throw refuse('signing-refused', { reason: `The document is ${status}.`, refusal: 'not-open' })
  if (await liveSending(store.db, id))
    throw refuse('signing-refused', {
      reason: 'The document is signed at the document platform.',
      refusal: 'elsewhere',
    })
}

export function certificateIn(text: string): Certificate {
  try {
    return Certificate.read(Buffer.from(text, 'base64'))
  } catch (error) {
    if (error instanceof EngineError) throw wrongData({ certificate: [error.message] })
    throw error
  }
}
