// Sign-in at the identity provider: for those whose addresses the settings list, in the role that a claim names.
import type { Call } from '@chancela/service-kernel/http'
import { act, said } from './audit.ts'
import { claimedRole, namesRole } from './claimed-role.ts'
import type { ConsoleContext } from './console-context.ts'
import { type ConsoleSessions, isListed } from './console-sessions.ts'
import { finishOidc } from './contract/session.ts'
import { type Claims, enabledProvider, type Identity, verifiedIdentity } from './identity-provider.ts'
import { localPath } from './local-path.ts'
import { OidcTrip, type Step } from './oidc-trip.ts'

type Request = Call['request']

type OidcContext = Pick<ConsoleContext, 'settings' | 'store' | 'events' | 'secrets' | 'clock' | 'logger'>

export class OidcSignIn {
  readonly #context: OidcContext
  readonly #sessions: ConsoleSessions
  readonly #trip: OidcTrip

  constructor(context: OidcContext, sessions: ConsoleSessions) {
    this.#context = context
    this.#sessions = sessions
    const { Oidc, Auth, Console } = context.settings
    this.#trip = new OidcTrip({
      ...context,
      provider: enabledProvider(Oidc, context.clock),
      cookieName: `${Auth.CookieName}-oidc`,
      context: 'console-oidc-sign-in',
      publicUrl: Console.PublicUrl,
      callback: finishOidc.path,
      suffice: (claims) => claims.email !== undefined && namesRole(claims, Oidc.RoleClaim),
    })
  }

  /** A fresh sign-in is a proof of who it is: the provider asks again although it knows the browser. */
  begin(request: Request, { fresh = false, ReturnUrl }: { fresh?: boolean; ReturnUrl?: string }): Promise<Step> {
    return this.#trip.begin(request, localPath(ReturnUrl), { isFresh: fresh })
  }

  finish(request: Request): Promise<Step> {
    return this.#trip.finish(request, async (claims, { returnTo = '/', isFresh }) => {
      const identity = verifiedIdentity(claims)
      const session = identity && (await this.#admitted(request, { ...identity, claims }, isFresh))
      return session === undefined ? undefined : { to: returnTo, cookies: [session] }
    })
  }

  async #admitted(
    request: Request,
    { claims, ...identity }: Identity & { readonly claims: Claims },
    isFresh: boolean,
  ): Promise<string | undefined> {
    const { store, events, settings } = this.#context
    const { id, email } = identity
    const role = isListed(settings.Oidc.Administrators, email)
      ? claimedRole(claims, settings.Oidc.RoleClaim)
      : undefined
    const who = [{ name: email, address: request.ip }, ['identity', id]] as const
    const event = role
      ? act('AdministratorSignedIn', ...who, { email, how: said('at-provider') })
      : act('SignInRefused', ...who, { email })
    await events.record(store.db, event)
    return role && this.#sessions.beginForeign(request, { ...identity, role }, isFresh)
  }
}
