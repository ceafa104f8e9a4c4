import { LinkProblem, openSessionServer, type SessionServer } from '@chancela/service-links'
import type { Context } from '../../../context.ts'
import { refuse } from '../../../rules/refuse.ts'
import type { Signing } from '../open-signing.ts'

/** What signing with a token at a computer works with. */
export interface TokenSigning {
  readonly context: Context
  readonly signing: Signing
  /** Nothing where it is switched off. */
  readonly server: SessionServer | undefined
}

export function openTokenSigning(signing: Signing): TokenSigning {
  const { context } = signing
  const server = openSessionServer(context, context.settings.SessionServer)
  return { context, signing, server }
}

/** Asks the session server; refused where there is none, or it does not answer. */
export async function orNotAvailable<T>(
  { context: { logger }, server }: TokenSigning,
  ask: (server: SessionServer) => Promise<T>,
): Promise<T> {
  if (!server) throw refuse('TokensNotAvailable')
  try {
    return await ask(server)
  } catch (error) {
    if (!(error instanceof LinkProblem)) throw error
    logger.warn({ code: error.code, err: error.cause }, 'session server unavailable')
    throw refuse('TokensNotAvailable', { reason: error.code }, error)
  }
}

/** The name of this site, as its visitors know it. */
export const siteOf = ({ publicUrl }: Context): string => new URL(publicUrl).host
