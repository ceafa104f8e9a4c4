// The page on which a user chooses the provider. The browser gets only its ticket; the providers' URLs, which contain
// OAuth states, are sealed in the creation. A session that is bound to a list has the page, too, at its one provider: its
// ticket is the OAuth state.
import { move } from '@chancela/service-kernel/store'
import type { Context } from '../context.ts'
import { handleHash, isHandle, newHandle } from '../rules/handle.ts'
import { sessionMoves } from '../rules/session-states.ts'
import { applicationName, creationById, creationOfTicket } from '../store/creations.ts'
import { choiceContext, namesContext } from '../store/sealed-columns.ts'
import { sessionOfState, waitingSessions } from '../store/sessions.ts'
import type { CreationRow } from '../store/tables.ts'
import { publicUrl } from '../upstream/addresses.ts'
import { openStep } from '../upstream/authorization-steps.ts'
import type { Provider, Providers } from '../upstream/provider.ts'
import { serviceInfo } from '../upstream/service-info.ts'
import { type Choice, stepUntil } from './create-session.ts'
import { mayRedirect, returnAddress } from './redirect-uris.ts'

export interface ChooserParts {
  readonly context: Pick<Context, 'settings' | 'store' | 'secrets'>
  readonly providers: Pick<Providers, 'get'>
}

/** The data of the page; undefined for an unknown or expired ticket. */
export async function readChoice(parts: ChooserParts, ticket: string, now: Date) {
  const { settings } = parts.context
  const found = (await amongSeveral(parts, ticket)) ?? (await atOneProvider(parts, ticket))
  if (!found || now >= stepUntil(found.creation, settings.Sessions)) return undefined
  const { creation, services, backUrl } = found
  return {
    application: await applicationName(parts.context.store.db, creation.application_id),
    expiresAt: stepUntil(creation, settings.Sessions).toISOString(),
    ...namesOf(parts, creation),
    services,
    backUrl,
  }
}

async function amongSeveral(parts: ChooserParts, ticket: string) {
  const creation = await creationOf(parts, ticket)
  const backUrl = `${publicUrl(parts.context.settings)}/choices/${ticket}/none`
  return creation && { creation, services: await servicesOf(parts, creation), backUrl }
}

/** Only of a session whose user is to see its list first: elsewhere the state is the provider's affair. */
async function atOneProvider({ context, providers }: ChooserParts, state: string) {
  const session = isHandle(state) ? await sessionOfState(context.store.db, handleHash(state)) : undefined
  const provider = session && providers.get(session.provider_id)
  if (!provider) return undefined
  const { url } = openStep(context.secrets, session)
  if (url === undefined) return undefined
  const creation = await creationById(context.store.db, context.secrets, session.creation_id)
  // Like the link of the waiting page: the session is refused, and the client told.
  const backUrl = `${provider.callbackUri}?error=access_denied&state=${state}`
  return { creation, services: [offer(provider, url)], backUrl }
}

/** What the holder is shown of the list. */
function namesOf({ context }: ChooserParts, { id, sealed_names }: Pick<CreationRow, 'id' | 'sealed_names'>) {
  if (sealed_names === null) return {}
  return { documents: JSON.parse(context.secrets.openText(sealed_names, namesContext(id))) as string[] }
}

async function servicesOf({ context, providers }: ChooserParts, creation: CreationRow) {
  const sealed = context.secrets.openText(creation.sealed_choice!, choiceContext(creation.id))
  const waiting = await waitingSessions(context.store.db, creation.id)
  return (JSON.parse(sealed) as readonly Choice[]).flatMap(({ sessionId, providerId, authUrl }) => {
    const provider = waiting.has(sessionId) ? providers.get(providerId) : undefined
    return provider ? [offer(provider, authUrl)] : []
  })
}

const offer = (provider: Provider, authUrl: string) => ({
  serviceInfo: serviceInfo(provider),
  authUrl,
  available: provider.available,
})

/** The user chooses none: returns to the client, and no session of the creation can be authorized any more. */
export async function chooseNone(parts: ChooserParts, ticket: string, now: Date): Promise<string | undefined> {
  const { store } = parts.context
  const creation = await creationOf(parts, ticket)
  if (!creation || !(await mayRedirect(store.db, creation.key_id, creation.redirect_uri, now))) return undefined
  await store.transaction(async (tx) => {
    const set = { state_hash: null, sealed_step: null, ended_at: now.toISOString(), reason: 'none-chosen' }
    for (const id of await waitingSessions(tx, creation.id))
      await move(tx, { table: 'session', column: 'state', id, moves: sessionMoves, move: 'refuse', set })
  })
  // An unknown value is refused like a known one that was refused.
  return returnAddress(creation.redirect_uri, { session: newHandle(), error: 'access_denied' })
}

const creationOf = async ({ context }: ChooserParts, ticket: string): Promise<CreationRow | undefined> =>
  isHandle(ticket) ? creationOfTicket(context.store.db, handleHash(ticket)) : undefined
