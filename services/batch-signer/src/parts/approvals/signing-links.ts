import {
  type CloudHub,
  LinkProblem,
  openCloudHub,
  openSessionServer,
  type SessionServer,
} from '@chancela/service-links'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'

/** Where keys of approvers are that are not in their browser; each is nothing where it is switched off. */
export interface SigningLinks {
  readonly hub: CloudHub | undefined
  readonly server: SessionServer | undefined
}

export const openSigningLinks = (context: Context): SigningLinks => ({
  hub: openCloudHub(context, context.settings.CloudHub),
  server: openSessionServer(context, context.settings.SessionServer),
})

const missing = { hub: 'approval.cloud-unavailable', server: 'approval.tokens-unavailable' } as const

/** Asks one of them; refused where there is none, or it does not answer. */
export async function orUnavailable<Link extends keyof SigningLinks, T>(
  { context: { logger }, links }: { readonly context: Pick<Context, 'logger'>; readonly links: SigningLinks },
  name: Link,
  ask: (link: NonNullable<SigningLinks[Link]>) => Promise<T>,
): Promise<T> {
  const link = links[name]
  if (!link) throw refuse(missing[name])
  try {
    return await ask(link)
  } catch (error) {
    if (!(error instanceof LinkProblem)) throw error
    logger.warn({ link: name, code: error.code, err: error.cause }, 'a way to sign is unavailable')
    throw refuse(missing[name], undefined, error)
  }
}
