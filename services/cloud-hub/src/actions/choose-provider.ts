// The page on which a user chooses the provider. The browser gets only its ticket; the providers' URLs, which contain
// OAuth states, are sealed in the creation.
import { move } from '@chancela/service-kernel/store'
import type { Context } from '../context.ts'
import { handleHash, isHandle, newHandle } from '../rules/handle.ts'
import { sessionMoves } from '../rules/session-states.ts'
import { applicationName, creationOfTicket } from '../store/creations.ts'
import { choiceContext } from '../store/sealed-columns.ts'
import { waitingSessions } from '../store/sessions.ts'
import type { CreationRow } from '../store/tables.ts'
import { publicUrl } from '../upstream/addresses.ts'
import type { Providers } from '../upstream/provider.ts'
import { serviceInfo } from '../upstream/service-info.ts'
import { type Choice, stepUntil } from './create-session.ts'
import { mayRedirect, returnAddress } from './redirect-uris.ts'

export interface ChooserParts {
  readonly context: Pick<Context, 'settings' | 'store' | 'secrets'>
  readonly providers: Pick<Providers, 'get'>
}

/** URL of the page for a ticket. */
export const chooserUrl = ({ context }: ChooserParts, ticket: string): string =>
  `${publicUrl(context.settings)}/choose/${ticket}`

/** The data of the page; undefined for an unknown or expired ticket. */
export async function readChoice(parts: ChooserParts, ticket: string, now: Date) {
  const { store, settings } = parts.context
  const creation = await creationOf(parts, ticket)
  if (!creation || now >= stepUntil(creation, settings.Sessions)) return undefined
  return {
    application: await applicationName(store.db, creation.application_id),
    expiresAt: stepUntil(creation, settings.Sessions).toISOString(),
    services: await servicesOf(parts, creation),
    backUrl: `${publicUrl(settings)}/choices/${ticket}/none`,
  }
}

async function servicesOf({ context, providers }: ChooserParts, creation: CreationRow) {
  const sealed = context.secrets.openText(creation.sealed_choice!, choiceContext(creation.id))
  const waiting = await waitingSessions(context.store.db, creation.id)
  return (JSON.parse(sealed) as readonly Choice[]).flatMap(({ sessionId, providerId, authUrl }) => {
    const provider = waiting.has(sessionId) ? providers.get(providerId) : undefined
    return provider ? [{ serviceInfo: serviceInfo(provider), authUrl, available: provider.available }] : []
  })
}

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
