import { type CloudHub, openCloudHub, openSessionServer, type SessionServer } from '@chancela/service-links'
import type { Context } from '../../context.ts'

/** Where keys are that are neither here nor in the browser; each is nothing where it is switched off. */
export interface SigningLinks {
  readonly hub: CloudHub | undefined
  readonly server: SessionServer | undefined
}

export const openSigningLinks = (context: Context): SigningLinks => ({
  hub: openCloudHub(context, context.settings.CloudHub),
  server: openSessionServer(context, context.settings.SessionServer),
})
