import { randomBytes, randomUUID } from 'node:crypto'
import { MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { LinkProblem, nonceHashOf, tieBrowser } from '@chancela/service-links'
import type { Static } from 'typebox'
import { type Acting, requireOpen } from '../../../actions/participants/participant-access.ts'
import type { Context } from '../../../context.ts'
import type { beginCloudSigning as route } from '../../../contract/cloud-signing.ts'
import { requiredCompany, wantsCompany } from '../../../rules/participant-certificate.ts'
import { refuse } from '../../../rules/refuse.ts'
import { keepCloudSigning } from '../../../store/cloud-signings.ts'
import { requireCertificatesAllowed } from '../sign-with-certificate.ts'
import type { BrowserTie } from './browser-tie.ts'
import type { CloudSigning } from './open-cloud-signing.ts'

/** Time to choose a provider, to sign in there and to come back. */
const LIFE = 15 * MINUTE

interface Begun {
  /** URL the browser is sent to. */
  readonly url: string
  /** Set-Cookie header of the answer. */
  readonly cookie: string
}

/** Sends a participant to the hub. The bytes to sign are not known yet: they depend on the certificate. */
export async function beginCloudSigning(
  { context, hub }: CloudSigning,
  acting: Acting,
  { ticket, ...request }: Static<typeof route.body>,
  now: Date,
): Promise<Begun> {
  requireOpen(acting, 'sign')
  requireCertificatesAllowed(acting)
  if (!hub) throw refuse('CloudCertificatesNotAvailable')
  const { document, participant } = acting
  const id = randomUUID()
  const nonce = randomBytes(32).toString('base64url')
  const url = await orNotAvailable(
    context,
    hub.createChooser({
      redirectUri: `${context.publicUrl}/cloud-return?signing=${id}`,
      ...askedHolder(acting),
      type: 'SingleSignature',
      customState: nonce,
      lifetimeInSeconds: LIFE / SECOND,
    }),
  )
  await keepCloudSigning(context.store.db, {
    id,
    nonce_hash: nonceHashOf(nonce),
    document_id: document.id,
    participant_id: participant.id,
    original_digest: document.original_digest,
    wishes: JSON.stringify(request),
    expires_at: plus(now, LIFE).toISOString(),
    taken_at: null,
    outcome: null,
  })
  const tie: BrowserTie = { nonce, key: document.key, ticket }
  return { url, cookie: tieBrowser(context, id, tie, LIFE) }
}

/** Whose certificates the providers search for; empty when any holder is allowed and none can be named. */
function askedHolder({ participant, options }: Acting): { identifier?: string; identifierType?: 'CPF' | 'CNPJ' } {
  const company = requiredCompany(options)
  if (company) return { identifier: company, identifierType: 'CNPJ' }
  return !wantsCompany(options) && participant.identifier !== null
    ? { identifier: participant.identifier, identifierType: 'CPF' }
    : {}
}

async function orNotAvailable<T>({ logger }: Context, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof LinkProblem)) throw error
    logger.warn({ code: error.code, err: error.cause }, 'cloud hub unavailable')
    throw refuse('CloudCertificatesNotAvailable', { reason: error.code }, error)
  }
}
