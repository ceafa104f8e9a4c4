import { serve } from '@chancela/service-kernel/http'
import * as invitation from '../actions/accounts/invitation.ts'
import type { Context } from '../context.ts'
import type { AnswerOf } from '../contract/index.ts'
import { acceptInvitation, readInvitation, readMe, signIn, signOut, switchOrganization } from '../contract/session.ts'
import { callerOf, type SignedIn, type SignInAccess } from '../parts/access/user-sessions.ts'
import { reachesOf } from '../rules/rights.ts'
import type { PlatformApp } from './platform-app.ts'

/** Puts signing in and out on the surface, and keeps sessions alive that are used. */
export function serveSession(app: PlatformApp, context: Context, sessions: SignInAccess): void {
  sessions.slideOn(app)
  const me = (who: SignedIn) => meView(who, context.notices.enabled)

  serve(app, signIn, async ({ body, reply }) => {
    const { cookie, who } = await sessions.signIn(body.email, body.password)
    reply.header('set-cookie', cookie)
    return me(who)
  })
  serve(app, readInvitation, ({ query }) => invitation.readInvitation(context, query.ticket))
  serve(app, acceptInvitation, async ({ body, reply, now }) => {
    const { accountId, organizationId } = await invitation.acceptInvitation(context, body, now)
    const { cookie, who } = await sessions.begin(accountId, organizationId)
    reply.header('set-cookie', cookie)
    return me(who)
  })
  serve(app, signOut, ({ request, reply }) => {
    const cookie = sessions.signOut(request)
    if (cookie !== undefined) reply.header('set-cookie', cookie)
  })
  serve(app, readMe, async ({ caller }) => me(await sessions.signedIn(caller)))
  serve(app, switchOrganization, async ({ caller, body, reply }) => {
    const { cookie, who } = await sessions.switchTo(caller, body.organizationId)
    reply.header('set-cookie', cookie)
    return me(who)
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
    rights: reachesOf(callerOf(who)),
    emailEnabled,
  }
}

const organizationView = ({ id, name, owner_id }: SignedIn['current']) => ({ id, name, isPersonal: owner_id !== null })
