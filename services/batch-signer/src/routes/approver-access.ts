import { DAY } from '@chancela/service-kernel/clock'
import { durationOf } from '@chancela/service-kernel/config'
import { type AccessScheme, type App, clientAddress, listedSessions } from '@chancela/service-kernel/http'
import type { Context } from '../context.ts'
import { linkRealm } from '../parts/session-realms.ts'
import type { IdentificationMethod } from '../rules/frozen-approval.ts'
import { type SessionHolder, whoOf } from '../rules/session-holder.ts'
import { APPROVER_COOKIE } from '../settings.ts'
import { closeWindow } from '../store/approver-factors.ts'
import { keepLatest } from '../store/sessions.ts'
import type { Tables } from '../store/tables.ts'

/** An approver in a browser. Whether a job's pool names them is the frozen rule's to say. */
export interface ApproverSession {
  readonly email: string
  readonly method: Exclude<IdentificationMethod, 'SelfDeclaredEmail'>
  /** Of this browser: what was proved in it holds in no other. */
  readonly sessionId: string
  /** Of the client. */
  readonly address: string
  /** Whose session it is. */
  readonly holder: SessionHolder
}

type Request = Parameters<AccessScheme['authenticate']>[0]

/** A way to be an approver: finds the session of a call. */
export type SessionReader = (request: Request) => Promise<ApproverSession | undefined>

/** The scheme `approver`. No key and no cookie of an operator satisfies it, and it satisfies no other. */
export interface ApproverAccess extends AccessScheme<ApproverSession> {
  /** Begins a session that comes by a link; its Set-Cookie header. */
  begin(request: Request, email: string): Promise<string>
  /** Ends the session of a call that came by a link, for every copy of its cookie; undefined where there is none. */
  signOut(request: Request): Promise<string | undefined>
  /** Renews the cookies of callers of the app while they keep calling. */
  slideOn(app: App): void
}

/** A session ends after this time even if it is used every day, so that a copied cookie does, too. */
const LONGEST = 365 * DAY

/** Builds the scheme: sessions that began with a link, and those of further readers, such as an identity provider's. */
export function approverAccess(
  {
    settings: { ApproverPortal, Http },
    clock,
    secrets,
    store,
  }: Pick<Context, 'settings' | 'clock' | 'secrets' | 'store'>,
  others: readonly SessionReader[] = [],
): ApproverAccess {
  const realm = linkRealm(ApproverPortal.LinkSecret)
  const holderOf = (email: string): SessionHolder => ({ ...realm, subject: email })
  const sessions = listedSessions<{ readonly email: string }, Tables>({
    cookieName: APPROVER_COOKIE,
    context: `approver-session/${realm.realm}`,
    idle: durationOf(ApproverPortal.SessionLifetime),
    longest: LONGEST,
    // The link comes from a mail: with Strict the page behind its redirect would not see the cookie.
    sameSite: 'Lax',
    publicUrl: Http.PublicUrl,
    secrets,
    clock,
    store,
  })
  const byLink: SessionReader = async (request) => {
    const session = ApproverPortal.Enabled ? await sessions.find(request) : undefined
    if (!session) return undefined
    const { email, sid } = session
    const address = clientAddress(request)
    return { email, method: 'LinkDerivedEmail', sessionId: sid, address, holder: holderOf(email) }
  }
  const readers = [...others, byLink]

  return {
    authenticate: async (request) => {
      for (const read of readers) {
        const session = await read(request)
        if (session) return session
      }
      return undefined
    },
    // One window for the approvers of an address (spec 2, Limits: per IP).
    credentialOf: () => 'approver',
    begin: async (request, email) => {
      const who = whoOf(holderOf(email))
      const cookie = await sessions.begin(request, { who, label: email }, { email })
      await keepLatest(store, who, clock())
      return cookie
    },
    signOut: async (request) => {
      const session = await byLink(request)
      if (!session) return undefined
      await closeWindow(store.db, session.sessionId)
      return sessions.end(request)
    },
    slideOn: (app) => sessions.slideOn(app),
    security: { [APPROVER_COOKIE]: { type: 'apiKey', in: 'cookie', name: APPROVER_COOKIE } },
  }
}
