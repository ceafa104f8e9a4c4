import {
  enabledProvider,
  localPath,
  OidcTrip,
  type Step,
  verifiedIdentity,
  watchProvider,
} from '@chancela/admin-console'
import { type Call, serve } from '@chancela/service-kernel/http'
import { signInWithIdentity } from '../actions/accounts/oidc.ts'
import type { Context } from '../context.ts'
import { finishOidc, readSignInWays, signInWithOidc } from '../contract/session.ts'
import type { SignInAccess } from '../parts/access/user-sessions.ts'
import type { PlatformApp } from './platform-app.ts'

/** Puts signing in at the identity provider on the surface. */
export function serveOidc(app: PlatformApp, context: Context, sessions: SignInAccess): void {
  const { Auth, Oidc, Http } = context.settings
  const provider = enabledProvider(Oidc, context.clock)
  watchProvider(context, provider)
  const trip = new OidcTrip({
    ...context,
    provider,
    cookieName: `${Auth.CookieName}-oidc`,
    context: 'account-oidc-sign-in',
    publicUrl: Http.PublicUrl,
    callback: finishOidc.path,
  })
  serve(app, readSignInWays, () => ({
    password: true,
    oidc: Oidc.Enabled ? { title: Oidc.Title, path: signInWithOidc.path } : null,
  }))
  serve(app, signInWithOidc, async ({ query: { fresh: isFresh = false, returnUrl }, request, reply }) => {
    const sessionId = isFresh ? sessions.browserOf(request).sessionId : undefined
    return goOn(reply, await trip.begin(request, returnUrl && localPath(returnUrl), { isFresh, sessionId }))
  })
  serve(app, finishOidc, async ({ request, reply, now }) => {
    const step = await trip.finish(request, async (claims, { returnTo = '/documents', ...fresh }) => {
      const identity = verifiedIdentity(claims)
      const who = identity && (await signInWithIdentity(context, identity, sessions.browserOf(request), fresh, now))
      return who && { to: returnTo, cookies: [sessions.cookieOf(who)] }
    })
    return goOn(reply, step)
  })
}

/** A browser shows a page whatever became of it. */
function goOn(reply: Call['reply'], step: Step): Call['reply'] {
  if (step.cookies.length > 0) reply.header('set-cookie', [...step.cookies])
  return reply.redirect('to' in step ? step.to : `/login?error=${step.problem}`)
}
