import { createHash } from 'node:crypto'
import { DAY } from '@chancela/service-kernel/clock'
import { durationOf } from '@chancela/service-kernel/config'
import { type AccessScheme, type App, cookieSessions, endedSessions } from '@chancela/service-kernel/http'
import type { Context } from '../context.ts'
import type { IdentificationMethod } from '../rules/frozen-approval.ts'
import { APPROVER_COOKIE } from '../settings.ts'
import { closeWindow } from '../store/approver-factors.ts'

/** An approver in a browser. Whether a job's pool names them is the frozen rule's to say. */
export interface ApproverSession {
  readonly email: string
  readonly method: Exclude<IdentificationMethod, 'SelfDeclaredEmail'>
  /** Of this browser: what was proved in it holds in no other. */
  readonly sessionId: string
}

type Request = Parameters<AccessScheme['authenticate']>[0]

/** A way to be an approver: finds the session of a call. */
export type SessionReader = (request: Request) => Promise<ApproverSession | undefined>

/** The scheme `approver`. No key and no cookie of an operator satisfies it, and it satisfies no other. */
export interface ApproverAccess extends AccessScheme<ApproverSession> {
  /** The Set-Cookie header of a session that began with a link. */
  begin(email: string): string
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
  const sessions = cookieSessions<{ readonly email: string }>({
    cookieName: APPROVER_COOKIE,
    context: sessionContext(ApproverPortal.LinkSecret),
    idle: durationOf(ApproverPortal.SessionLifetime),
    longest: LONGEST,
    // The link comes from a mail: with Strict the page behind its redirect would not see the cookie.
    sameSite: 'Lax',
    publicUrl: Http.PublicUrl,
    secrets,
    clock,
    ended: endedSessions(store),
  })
  const byLink: SessionReader = async (request) => {
    const session = ApproverPortal.Enabled ? await sessions.findLive(request) : undefined
    return session && { email: session.email, method: 'LinkDerivedEmail', sessionId: session.sid }
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
    begin: (email) => sessions.begin({ email }),
    signOut: async (request) => {
      const session = await byLink(request)
      if (!session) return undefined
      await closeWindow(store.db, session.sessionId)
      return sessions.endFor(request)
    },
    slideOn: (app) => sessions.slideOn(app),
    security: { [APPROVER_COOKIE]: { type: 'apiKey', in: 'cookie', name: APPROVER_COOKIE } },
  }
}

/** Sessions are sealed with the hash of the links' secret as context: after a change of it none can be opened. */
const sessionContext = (linkSecret: string): string =>
  `approver-session/${createHash('sha256').update(linkSecret).digest('hex')}`
