import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../context.ts'
import { listSecurityContexts, readSecurityContext } from '../contract/security-contexts.ts'
import { requiredContext, securityContexts } from '../rules/security-contexts.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the routes of security contexts: all that the instance has, for every caller. */
export function serveSecurityContexts(app: PlatformApp, { settings }: Context): void {
  const { SecurityContexts } = settings.Documents
  serve(app, listSecurityContexts, () => [...securityContexts(SecurityContexts)])
  serve(app, readSecurityContext, ({ params }) => requiredContext(SecurityContexts, params.id))
}
