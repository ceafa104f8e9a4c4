// Two ways in that are not an operation of a subscription: the page by its token, the completion by its ticket.
import type { AccessScheme, ApiKeyRing } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { hashOf } from '../../rules/bio/tokens.ts'
import { refuse } from '../../rules/refuse.ts'
import { operations, type Role, rolesIn } from '../../rules/rights.ts'
import { findSessionBy } from '../../store/bio/sessions.ts'
import type { BioSessionRow } from '../../store/bio/tables.ts'
import { presentedKey, security } from '../access/access.ts'
import type { KnownAccess } from '../access/known-access.ts'

/** The session of a page, and the token it showed: the ticket is made from it. */
export interface PageCaller {
  readonly session: BioSessionRow
  readonly token: string
}

/** Subscriptions in which an application may complete sessions. */
export interface CompletingCaller {
  readonly applicationId: string
  readonly subscriptionIds: readonly string[]
}

const RUNNERS: readonly Role[] = operations['bio.run']

const TOKEN_HEADER = 'X-Bio-Session-Token'

export function bioSchemes({ store }: Pick<Context, 'store'>, known: KnownAccess, ring: ApiKeyRing) {
  const page: AccessScheme<PageCaller> = {
    security: { [TOKEN_HEADER]: { type: 'apiKey', in: 'header', name: TOKEN_HEADER } },
    credentialOf: ({ session }) => session.id,
    async authenticate({ headers }) {
      const token = headers['x-bio-session-token']
      if (typeof token !== 'string' || token === '') throw refuse('BioSessionTokenRequired')
      const session = await findSessionBy(store.db, 'token_hash', hashOf(token))
      if (!session) throw refuse('BadBioSessionToken')
      return { session, token }
    },
  }
  const complete: AccessScheme<CompletingCaller> = {
    security,
    credentialOf: ({ applicationId }) => applicationId,
    async authenticate(request) {
      const found = ring.find(presentedKey(request))
      if (!found) return undefined
      const { applicationId } = found
      const subscriptionIds = await runnableIn(known, applicationId, request.headers['x-subscription'])
      if (subscriptionIds.length === 0) throw refuse('Forbidden', { operation: 'bio.run' })
      return { applicationId, subscriptionIds }
    },
  }
  return { 'bio.page': page, 'bio.complete': complete }
}

/** The subscriptions, of all or of the one that is asked for, in which an application may run sessions. */
async function runnableIn(
  known: KnownAccess,
  applicationId: string,
  asked: string | string[] | undefined,
): Promise<readonly string[]> {
  const standing = await known.standingOf(applicationId)
  const own = standing.subscriptions.map(({ subscriptionId }) => subscriptionId)
  const named = typeof asked === 'string' && asked.trim() !== '' ? [asked.trim().toLowerCase()] : own
  const allowed = named.filter((id) => rolesIn(standing, id).some((role) => RUNNERS.includes(role)))
  const subscriptions = await Promise.all(allowed.map((id) => known.subscription(id)))
  return allowed.filter((_, at) => subscriptions[at]?.disabled_at === null)
}
