// The one way on which a key elsewhere signs: all documents that can be signed are laid out, the key is asked once, and
// its signatures are kept before anything is done with them. A job for each document puts them in: whoever is killed
// after that has lost nothing, and whoever is killed before has signed nothing.
import { randomUUID } from 'node:crypto'
import { enqueueJobs } from '@chancela/outbox/queue'
import { Refusal } from '@chancela/service-kernel/errors'
import { type Certificate, holderOf } from '@chancela/signature-engine/x509'
import type { SigningOutcome } from '../../contract/remote-signing.ts'
import { judgedIssuers, layOut } from '../../parts/signing/sign-steps.ts'
import { type Caller, requireOperation } from '../../rules/rights.ts'
import { documentOutcome, reasonOf } from '../../rules/signing-outcomes.ts'
import type { KeptLayout, RemoteSignatureRow, RemoteSigningRow } from '../../store/remote-signing-tables.ts'
import { endSignature, keepSignatures, signaturesOf } from '../../store/remote-signings.ts'
import { findSigner, type SigningPerson } from '../../store/signers.ts'
import { certificateIn, requiredDocument, requireHere, type SigningDependencies } from '../signing/sign-document.ts'

export const REMOTE_QUEUE = 'credential-remote-signing'

export interface RemoteJob {
  readonly signingId: string
  readonly documentId: string
}

/** The key, as its holder authorized it. */
interface KeyElsewhere {
  /** DER, base64. */
  readonly certificate: string
  /** Signs hashes, base64; the signatures are in their order. */
  readonly sign: (hashes: readonly string[]) => Promise<readonly Buffer[]>
  /** Whether the holder approved a fixed list, so that it is all of it or nothing. */
  readonly allOrNothing: boolean
}

/** The person of a request, as somebody who acts; undefined where they may no longer. */
export async function actingPerson(
  { context }: Pick<SigningDependencies, 'context'>,
  { user_id }: Pick<RemoteSigningRow, 'user_id'>,
): Promise<(Caller & Pick<SigningPerson, 'cpf'>) | undefined> {
  const person = await findSigner(context.store.db, user_id)
  if (!person) return undefined
  requireOperation(person, 'documents.sign')
  return { kind: 'user', ...person }
}

/** A document that is ready for the key. */
interface LaidOut {
  readonly row: RemoteSignatureRow
  readonly layout: KeptLayout
  /** Base64. */
  readonly hash: string
}

/** Throws what outcomes are read from. */
export async function signAll(
  given: SigningDependencies,
  signing: RemoteSigningRow,
  { certificate: text, sign, allOrNothing }: KeyElsewhere,
  now: Date,
): Promise<SigningOutcome> {
  const person = await actingPerson(given, signing)
  if (!person) return 'not-pending'
  const certificate = certificateIn(text)
  if (isSomebodyElses(certificate, person)) return 'cpf-mismatch'
  const issuers = await judgedIssuers(given.signing, certificate, [], now)
  const asked = (await signaturesOf(given.context.store.db, signing.id)).filter(({ outcome }) => outcome === null)
  const laidOut: LaidOut[] = []
  for (const row of asked) {
    const ready = await laidOutOne(given, person, row, { certificate, issuers }, now)
    if (ready) laidOut.push(ready)
  }
  if (laidOut.length === 0) return 'not-pending'
  if (allOrNothing && laidOut.length < asked.length) return 'changed'
  const signatures = await sign(laidOut.map(({ hash }) => hash))
  await keep(given, signing, [certificate, ...issuers], laidOut, signatures)
  return 'signed'
}

const isSomebodyElses = (certificate: Certificate, { cpf }: Pick<SigningPerson, 'cpf'>): boolean => {
  const holder = holderOf(certificate)
  return holder.cnpj === null && holder.cpf !== cpf
}

/** Nothing, where this one cannot be signed: that is told with it, and the others go on. */
async function laidOutOne(
  { context, signing, desk }: SigningDependencies,
  person: Caller,
  row: RemoteSignatureRow,
  path: { readonly certificate: Certificate; readonly issuers: readonly Certificate[] },
  now: Date,
): Promise<LaidOut | undefined> {
  try {
    const document = await requiredDocument(context, person, row.document_id)
    await requireHere(context, document)
    const uuid = randomUUID()
    const bytes = await desk.bytesOf(document)
    const requireHardware = context.settings.Signing.RequireHardwareKeys
    const started = layOut(document, bytes, { ...path, uuid, at: now, requireHardware })
    signing.begun.remember(uuid, started, bytes.length)
    const layout = { uuid, step: started.step.name, at: now.toISOString(), revision: document.revision }
    return { row, layout, hash: Buffer.from(started.digest).toString('base64') }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await endSignature(context.store.db, row, documentOutcome(error), reasonOf(error))
    return undefined
  }
}

async function keep(
  { context }: SigningDependencies,
  { id }: RemoteSigningRow,
  certificates: readonly Certificate[],
  laidOut: readonly LaidOut[],
  signatures: readonly Buffer[],
): Promise<void> {
  const path = JSON.stringify(certificates.map(({ der }) => Buffer.from(der).toString('base64')))
  const signed = laidOut.map(({ row, layout }, at) => ({
    document_id: row.document_id,
    layout: JSON.stringify(layout),
    signature: signatures[at]!.toString('base64'),
  }))
  const jobs = laidOut.map(({ row }) => ({
    payload: { signingId: id, documentId: row.document_id } satisfies RemoteJob,
  }))
  await context.store.transaction(async (tx) => {
    if (await keepSignatures(tx, { id, path }, signed)) await enqueueJobs(tx, REMOTE_QUEUE, jobs, context.clock())
  })
}
