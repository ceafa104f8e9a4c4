// The participant's page looks whether the holder has approved; the look that finds it signs.
import { MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { type Approval, endOf, LinkProblem } from '@chancela/service-links'
import type { Static } from 'typebox'
import type { Acting } from '../../../actions/participants/participant-access.ts'
import type { beginTokenSigning, lookTokenSigning as route, TokenOutcome } from '../../../contract/token-signing.ts'
import { readCertificate } from '../../../rules/participant-certificate.ts'
import { refuse } from '../../../rules/refuse.ts'
import type { ParticipantRow, TokenSigningRow } from '../../../store/tables.ts'
import { endTokenSigning, findTokenSigning, takeTokenSigning } from '../../../store/token-signings.ts'
import type { Origin } from '../evidence.ts'
import { completeSignature, startSignature } from '../sign-with-certificate.ts'
import { openToken } from '../signature-token.ts'
import { orNotAvailable, type TokenSigning } from './open-token-signing.ts'
import { outcomeOf } from './token-outcome.ts'

type Look = Static<typeof route.answer>

interface Looking {
  readonly id: string
  /** Reads the participant, and again where others were waited for. */
  readonly acting: () => Promise<Acting>
  readonly origin: Origin
}

const WAITING: Look = { state: 'waiting', outcome: null }
const SIGNING: Look = { state: 'signing', outcome: null }

export async function lookTokenSigning(token: TokenSigning, looking: Looking, now: Date): Promise<Look> {
  const { context } = token
  const { participant } = await looking.acting()
  const row = await findTokenSigning(context.store.db, { id: looking.id, participantId: participant.id })
  if (!row) throw refuse('TokenSigningNotFound')
  if (row.outcome) return ended(row.outcome)
  if (row.taken_at !== null) return taken(token, row, participant, now)
  const approval = await orNotAvailable(token, (server) => server.readOrExpired(row.approval_id))
  const end = endOf(approval)
  if (end) return ending(token, row, end)
  if (approval.state !== 'READY') return WAITING
  // Of two looks one signs.
  if (!(await takeTokenSigning(context.store.db, row.id, now))) return SIGNING
  return ending(token, row, await signed(token, row, approval, looking, now))
}

/** Another look signs, in this process or another; one that ended without a word has signed or not. */
function taken(
  { context: { settings } }: TokenSigning,
  { taken_at }: TokenSigningRow,
  { completed_at }: Pick<ParticipantRow, 'completed_at'>,
  now: Date,
): Look {
  if (completed_at !== null) return ended('signed')
  const longest = (settings.SessionServer.TimeoutSeconds + settings.Documents.SigningWaitSeconds) * SECOND + MINUTE
  return plus(new Date(taken_at!), longest) > now ? SIGNING : ended('failed')
}

const ended = (outcome: TokenOutcome): Look => ({ state: 'ended', outcome })

async function ending({ context }: TokenSigning, { id }: TokenSigningRow, outcome: TokenOutcome): Promise<Look> {
  await endTokenSigning(context.store.db, id, outcome)
  return ended(outcome)
}

async function signed(
  token: TokenSigning,
  row: TokenSigningRow,
  { certificate }: Pick<Approval, 'certificate'>,
  looking: Looking,
  now: Date,
): Promise<TokenOutcome> {
  const outcome = await signApproved(token, row, certificate!, looking, now).catch((error: unknown) =>
    told(token, row, error),
  )
  // Nothing more is to be signed under the approval; one that has ended already stays as it is.
  if (outcome !== 'signed') await token.server!.cancel(row.approval_id).catch(() => {})
  return outcome
}

/** The outcome of a failure; failures only an operator can fix are logged. */
async function told(token: TokenSigning, row: TokenSigningRow, error: unknown): Promise<TokenOutcome> {
  const outcome = await outcomeThere(token, row, error)
  if (outcome === 'failed' || outcome === 'unavailable')
    token.context.logger.error({ err: error, documentId: row.document_id }, 'token signing failed')
  return outcome
}

/** Where the approval ended between two calls, the session server knows why. */
async function outcomeThere({ server }: TokenSigning, row: TokenSigningRow, error: unknown): Promise<TokenOutcome> {
  if (!(error instanceof LinkProblem) || error.code !== 'APPROVAL_OVER') return outcomeOf(error)
  const approval = await server!.readOrExpired(row.approval_id).catch(() => undefined)
  return (approval && endOf(approval)) ?? 'failed'
}

/** Signs as with any certificate: it, and so the bytes to sign, are only known now. */
async function signApproved(
  { context, signing, server }: TokenSigning,
  row: TokenSigningRow,
  certificate: string,
  { acting, origin }: Looking,
  now: Date,
): Promise<TokenOutcome> {
  const current = async () => {
    const found = await acting()
    // Signatures of others may have come meanwhile; another file may not.
    if (found.document.original_digest !== row.original_digest) throw refuse('DocumentChanged')
    return found
  }
  const wishes = JSON.parse(row.wishes) as Omit<Static<typeof beginTokenSigning.body>, 'ticket'>
  const begun = await startSignature(signing, current, readCertificate(certificate), wishes, now)
  if (!begun.success) return 'certificate-invalid'
  try {
    const hash = { hash: begun.toSignHash!, digestAlgorithm: begun.digestAlgorithm as 'SHA-256' }
    const [signature] = await server!.sign(row.approval_id, { hashes: [hash] })
    // The token may have taken its time.
    const then = context.clock()
    const completion = { signature: signature!, origin, notifies: true }
    const completed = await completeSignature(signing, openToken(context, begun.token!, then), completion, then)
    return completed.success ? 'signed' : 'certificate-invalid'
  } finally {
    // Also where the token fails: nobody waits in vain.
    signing.turns.leave(row.participant_id)
  }
}
