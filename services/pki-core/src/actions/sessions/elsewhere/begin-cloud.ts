import { randomBytes, randomUUID } from 'node:crypto'
import { MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { type CloudTie, nonceHashOf, tieBrowser } from '@chancela/service-links'
import { isCpf } from '@chancela/signature-engine/x509'
import { finishSessionCloud } from '../../../contract/session-signing.ts'
import { orNotAvailable } from '../../../parts/sessions/signing-ways.ts'
import { homeAddress } from '../../../rules/home-address.ts'
import { keepSigning } from '../../../store/session-signings.ts'
import type { SessionRow } from '../../../store/session-tables.ts'
import { requirePending } from '../session-page.ts'
import { type Asking, requiredCpf, shownDocuments, type WayDependencies } from './sign-elsewhere.ts'

/** Time to choose a provider, to sign in there and to come back. */
const LIFE = 15 * MINUTE

/** What the sealed cookie of the person's browser has. */
export interface BrowserTie extends CloudTie {
  /** Of the address of the page, to which the person comes back. */
  readonly token: string
}

interface Begun {
  /** URL the browser is sent to. */
  readonly url: string
  /** Set-Cookie header of the answer. */
  readonly cookie: string
}

/** Sends a person to the hub. The bytes to sign are not known yet: they depend on the certificate. */
export async function beginCloud(
  dependencies: WayDependencies,
  session: SessionRow,
  token: string,
  { base, now }: Asking,
): Promise<Begun> {
  requirePending(session, now)
  const { context } = dependencies
  const documents = await shownDocuments(dependencies, session)
  const publicUrl = homeAddress(context.settings.Http, base)
  const id = randomUUID()
  const nonce = randomBytes(32).toString('base64url')
  const url = await orNotAvailable(dependencies, 'hub', (hub) =>
    hub.createChooser({
      redirectUri: `${publicUrl}${finishSessionCloud.path}?signing=${id}`,
      ...askedHolder(session),
      // One authorization, one call of the provider, whatever it has to sign.
      type: JSON.parse(documents).length === 1 ? 'SingleSignature' : 'MultiSignature',
      customState: nonce,
      lifetimeInSeconds: LIFE / SECOND,
    }),
  )
  await keepSigning(context.store.db, {
    id,
    session_id: session.id,
    kind: 'cloud',
    reference: nonceHashOf(nonce),
    documents,
    expires_at: plus(now, LIFE).toISOString(),
    taken_at: null,
    outcome: null,
  })
  const tie: BrowserTie = { nonce, token }
  return { url, cookie: tieBrowser(context, id, tie, LIFE) }
}

/** Whose certificates the providers search for; empty where anybody may sign. */
function askedHolder(session: SessionRow): { identifier?: string; identifierType?: 'CPF' } {
  const cpf = requiredCpf(session)
  return cpf !== undefined && isCpf(cpf) ? { identifier: cpf, identifierType: 'CPF' } : {}
}
