// A participant signs without a certificate: the instance gathers the evidence and seals it into the document.
import { Refusal } from '@chancela/service-kernel/errors'
import type { Static } from 'typebox'
import { recordAct } from '../../actions/documents/act.ts'
import { type Acting, requireOpen } from '../../actions/participants/participant-access.ts'
import { forgetCode, requireCode } from '../../actions/participants/participant-code.ts'
import { requiredUploads } from '../../actions/uploads/uploads.ts'
import type { Context } from '../../context.ts'
import type { signElectronically as contract } from '../../contract/signatures.ts'
import { needsEmailCode, unavailableIn, unavailableMethods } from '../../rules/authentication-methods.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Authentication, evidenceOf, type Origin } from './evidence.ts'
import { finishSignature } from './finish-signature.ts'
import { marksOf } from './marks.ts'
import type { Signing } from './open-signing.ts'
import { preparedOrRefused, sameFile } from './sign-with-certificate.ts'
import { planSignature } from './signature-plan.ts'

type ElectronicRequest = Omit<Static<typeof contract.body>, 'flowActionId'>

interface ElectronicAct {
  /** Reads the participant again: somebody else may have signed meanwhile. */
  readonly acting: () => Promise<Acting>
  readonly request: ElectronicRequest
  readonly origin: Origin
  /** How the caller is already authenticated; without it the e-mailed code is required. */
  readonly authenticated?: Authentication
}

export async function signElectronically(signing: Signing, act: ElectronicAct, now: Date): Promise<void> {
  const { context, turns } = signing
  const acting = await act.acting()
  requireAllowed(acting)
  const authentication = act.authenticated ?? (await authenticated(context, acting, act.request, now))
  turns.leave(acting.participant.id)
  await turns.run(acting.document.id, async (mayHaveMoved) => {
    const current = mayHaveMoved ? sameFile(acting, await act.acting()) : acting
    const then = mayHaveMoved ? context.clock() : now
    return inTime(signedOnce(signing, current, act, authentication, then))
  })
  await forgetCode(context, acting.participant)
}

/** False where the document moved on between reading and recording. */
async function inTime(signed: Promise<void>): Promise<boolean> {
  try {
    await signed
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'DocumentChanged') return false
    throw error
  }
}

function requireAllowed(acting: Acting): void {
  requireOpen(acting, 'sign')
  const { options } = acting
  if (options.allowElectronicSignature !== true) throw refuse('ElectronicSignatureNotAllowed')
  // New flows cannot ask for these; documents of earlier versions of the service may.
  const [asked] = unavailableIn(options)
  if (asked) throw refuse('AuthenticationNotAvailable', { authentication: unavailableMethods[asked] })
}

async function authenticated(
  context: Context,
  { participant, options, needsEmail }: Acting,
  { emailCode, authenticationCode }: ElectronicRequest,
  now: Date,
): Promise<Authentication> {
  // The sender trusts the ticket alone to reach the participant.
  if (!needsEmailCode(options) && !needsEmail) return { types: ['AccessCode'] }
  await requireCode(context, participant, emailCode ?? authenticationCode, now)
  return { types: ['Email'], email: participant.email }
}

async function signedOnce(
  signing: Signing,
  acting: Acting,
  { request, origin }: ElectronicAct,
  authentication: Authentication,
  now: Date,
): Promise<void> {
  const { context } = signing
  const { document, participant } = acting
  requireOpen(acting, 'sign')
  const evidences = evidenceOf(origin, authentication, document.current_digest, now)
  const [signer, marks, file] = await Promise.all([
    signing.electronic.signer(),
    electronicMarks(context, acting, request, now),
    context.blobs.read(document.current_digest),
  ])
  const reason = `Electronic signature of ${participant.name}, evidence ${evidences.evidencesSha256}`
  const plan = planSignature(signing, acting, 'electronic', { marks, reason }, now)
  const prepared = await preparedOrRefused(file, signer, plan)
  const signed = await finishSignature(signing, prepared.state, await signer.sign(prepared), signer, plan)
  const { digest, size } = await context.blobs.put(signed)
  const act = {
    documentId: document.id,
    participantId: participant.id,
    kind: 'electronic',
    certificate: signer.certificate.der.toString('base64'),
    evidences,
    signed: { digest, size, fromRevision: document.revision, isTimestamped: plan.level !== 'B-B' },
    notifies: request.disableNotifications !== true,
  } as const
  await recordAct(context, act, now)
}

async function electronicMarks(context: Context, acting: Acting, request: ElectronicRequest, now: Date) {
  const { participant } = acting
  const [image, initialsImage] = await Promise.all([
    imageOf(context, acting, request.signatureImage?.id),
    imageOf(context, acting, request.initialsImage?.id),
  ])
  return marksOf(
    context,
    acting,
    {
      kind: 'electronic',
      name: participant.name,
      identifier: participant.identifier,
      positions: request.signaturePositions ?? (request.signaturePosition ? [request.signaturePosition] : []),
      initials: request.signatureInitialsPositions ?? [],
      timeZoneOffset: request.userTimeZoneOffset,
      image,
      initialsImage,
    },
    now,
  )
}

/** A drawn signature that was uploaded for the organization of the document. */
async function imageOf(
  context: Context,
  { document }: Acting,
  uploadId: string | undefined,
): Promise<Uint8Array | undefined> {
  if (uploadId === undefined) return undefined
  const [upload] = await requiredUploads(context, { organizationId: document.organization_id }, [uploadId])
  return context.blobs.read(upload!.digest)
}
