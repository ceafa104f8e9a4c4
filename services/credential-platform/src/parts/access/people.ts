// People: the accounts, sign-in and sessions of the admin console, on the surface of this service.
import { administratorStore, type ConsoleContext, ConsoleSessions, LocalSignIn } from '@chancela/admin-console'
import type { Context } from '../../context.ts'

/** Nobody signs in at an identity provider here. */
const noProvider = { Enabled: false, Title: '', TimeoutSeconds: 10, AllowedHosts: [], Administrators: [] }

export class People {
  /** What the shared sign-in needs of this service. */
  readonly context: ConsoleContext
  readonly sessions: ConsoleSessions
  readonly signIn: LocalSignIn

  constructor({ settings, store, clock, logger, events, secrets }: Context) {
    this.context = {
      settings: { Auth: settings.Auth, Oidc: noProvider, Console: settings.Http },
      store: administratorStore(store),
      clock,
      logger,
      events,
      secrets,
    }
    this.sessions = new ConsoleSessions(this.context)
    this.signIn = new LocalSignIn(this.context)
  }
}
