import { type Call, serve } from '@chancela/service-kernel/http'
import * as invitation from '../actions/accounts/invitation.ts'
import * as password from '../actions/accounts/password.ts'
import * as second from '../actions/accounts/second-factor.ts'
import * as own from '../actions/accounts/sessions.ts'
import * as account from '../actions/accounts/sign-in.ts'
import type { Context } from '../context.ts'
import type { AnswerOf } from '../contract/index.ts'
import {
  acceptInvitation,
  beginSecondFactor,
  changePassword,
  confirmSecondFactor,
  endOtherSessions,
  endSession,
  listSessions,
  makeRecoveryCodes,
  proveSession,
  readInvitation,
  readMe,
  removeSecondFactor,
  requestPasswordReset,
  resetPassword,
  signIn,
  signOut,
  switchOrganization,
} from '../contract/session.ts'
import { callerOf, type SignedIn, secondFactorOf } from '../parts/access/signed-in.ts'
import type { SignInAccess } from '../parts/access/user-sessions.ts'
import type { Caller } from '../rules/caller.ts'
import { refuse } from '../rules/refuse.ts'
import { reachesOf } from '../rules/rights.ts'
import type { AccountRow } from '../store/tables.ts'
import type { PlatformApp } from './platform-app.ts'

type Reply = Call['reply']

/** Puts signing in and out on the surface, and keeps sessions alive that are used. */
export function serveSession(app: PlatformApp, context: Context, sessions: SignInAccess): void {
  sessions.slideOn(app)
  const me = (who: SignedIn) => meView(who, context.notices.enabled)
  const begun = (who: SignedIn, reply: Reply) => {
    reply.header('set-cookie', sessions.cookieOf(who))
    return me(who)
  }

  const required = async (request: Call['request']): Promise<SignedIn> => {
    const who = await sessions.signedIn(request)
    if (!who) throw refuse('Unauthorized')
    return who
  }

  serve(app, signIn, async ({ body, request, reply, now }) =>
    begun(await account.signIn(context, body, sessions.browserOf(request), now), reply),
  )
  serve(app, readInvitation, ({ query }) => invitation.readInvitation(context, query.ticket))
  serve(app, acceptInvitation, async ({ body, request, reply, now }) =>
    begun(await invitation.acceptInvitation(context, body, sessions.browserOf(request), now), reply),
  )
  serve(app, signOut, async ({ request, reply, now }) => {
    const cookie = sessions.cookieToEnd(request)
    if (cookie === undefined) return
    reply.header('set-cookie', cookie)
    await own.signOut(context, sessions.browserOf(request), now)
  })
  serve(app, readMe, async ({ request }) => me(await required(request)))
  serve(app, changePassword, async ({ caller, body, request, reply, now }) => {
    const who = await required(request)
    return begun({ ...who, account: await password.changePassword(context, caller, body, now) }, reply)
  })
  serve(app, proveSession, ({ caller, body, now }) => own.proveSession(context, caller, body, now))
  serve(app, requestPasswordReset, ({ body, request, now }) =>
    password.requestReset(context, body.email, sessions.browserOf(request), now),
  )
  serve(app, resetPassword, ({ body, request, now }) =>
    password.resetPassword(context, body, sessions.browserOf(request), now),
  )
  serve(app, listSessions, ({ caller, now }) => own.listedSessions(context, caller, now))
  serve(app, endSession, ({ caller, params, now }) => own.endOneSession(context, caller, params.id, now))
  serve(app, endOtherSessions, ({ caller, now }) => own.endOtherSessions(context, caller, now))
  serve(app, switchOrganization, async ({ caller, body, request, now }) => {
    const who = await required(request)
    return me({ ...who, ...(await own.switchOrganization(context, caller, body.organizationId, now)) })
  })
  serveSecondFactor(app, context, sessions)
}

function serveSecondFactor(app: PlatformApp, context: Context, sessions: SignInAccess): void {
  const goOn = (reply: Reply, { sessionId }: Caller, account: AccountRow) =>
    reply.header('set-cookie', sessions.cookieOf({ sessionId: sessionId!, account }))

  serve(app, beginSecondFactor, ({ caller, body, now }) => second.beginSecondFactor(context, caller, body, now))
  serve(app, confirmSecondFactor, async ({ caller, body, reply, now }) => {
    const { account, recoveryCodes } = await second.confirmSecondFactor(context, caller, body.code, now)
    goOn(reply, caller, account)
    return { recoveryCodes: [...recoveryCodes] }
  })
  serve(app, removeSecondFactor, async ({ caller, body, reply, now }) => {
    goOn(reply, caller, await second.removeSecondFactor(context, caller, body, now))
  })
  serve(app, makeRecoveryCodes, async ({ caller, body, now }) => {
    const { recoveryCodes } = await second.makeRecoveryCodes(context, caller, body, now)
    return { recoveryCodes: [...recoveryCodes] }
  })
}

const meView = (who: SignedIn, emailEnabled: boolean): AnswerOf<typeof readMe> => {
  const { account, memberships, current } = who
  return {
    id: current.contact_id,
    name: current.contact_name,
    email: account.email,
    language: account.language ?? 'Pt',
    organization: organizationView(current),
    organizations: memberships.map(organizationView),
    roles: {
      administrator: current.administrator === 1,
      manager: current.manager === 1,
      operator: current.operator === 1,
    },
    rights: reachesOf(callerOf(who, '')),
    emailEnabled,
    hasPassword: account.password_hash !== null,
    way: who.way,
    secondFactor: secondFactorOf(who),
  }
}

const organizationView = ({ id, name, owner_id }: SignedIn['current']) => ({ id, name, isPersonal: owner_id !== null })
