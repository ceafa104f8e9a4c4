import {
  type CloudHub,
  LinkProblem,
  openCloudHub,
  openSessionServer,
  type SessionServer,
} from '@chancela/service-links'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'

/** Where keys are that are neither here nor in the browser; each is nothing where it is switched off. */
export interface SigningWays {
  readonly server: SessionServer | undefined
  readonly hub: CloudHub | undefined
}

export const openSigningWays = (context: Context): SigningWays => ({
  server: openSessionServer(context, context.settings.SessionServer),
  hub: openCloudHub(context, context.settings.CloudHub),
})

const missing = { server: 'TokensNotAvailable', hub: 'CloudCertificatesNotAvailable' } as const

/** Asks one of them; refused where there is none, or it does not answer. */
export async function orNotAvailable<Way extends keyof SigningWays, T>(
  { context: { logger }, ways }: { readonly context: Pick<Context, 'logger'>; readonly ways: SigningWays },
  way: Way,
  ask: (link: NonNullable<SigningWays[Way]>) => Promise<T>,
): Promise<T> {
  const link = ways[way]
  if (!link) throw refuse(missing[way])
  try {
    return await ask(link)
  } catch (error) {
    if (!(error instanceof LinkProblem)) throw error
    logger.warn({ way, code: error.code, err: error.cause }, 'a way to sign is unavailable')
    throw refuse(missing[way], { reason: error.code }, error)
  }
}
