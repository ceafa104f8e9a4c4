import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../context.ts'
import type { AnswerOf } from '../contract/index.ts'
import { readMe, signIn, signOut, switchOrganization } from '../contract/session.ts'
import type { SignedIn, SignInAccess } from '../parts/access/user-sessions.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the routes of signing in and out, and renews sessions in use. */
export function serveSession(app: PlatformApp, { notices }: Pick<Context, 'notices'>, sessions: SignInAccess): void {
  sessions.slideOn(app)
  const me = (who: SignedIn) => meView(who, notices.enabled)

  serve(app, signIn, async ({ body, reply }) => {
    const { cookie, who } = await sessions.signIn(body.email, body.password)
    reply.header('set-cookie', cookie)
    return me(who)
  })
  serve(app, signOut, ({ request, reply }) => {
    const cookie = sessions.signOut(request)
    if (cookie !== undefined) reply.header('set-cookie', cookie)
  })
  serve(app, readMe, async ({ caller }) => me(await sessions.signedIn(caller)))
  serve(app, switchOrganization, async ({ caller, body, reply }) => {
    const { cookie, who } = await sessions.switchTo(caller.id, body.organizationId)
    reply.header('set-cookie', cookie)
    return me(who)
  })
}

const meView = ({ person, memberships, current }: SignedIn, emailEnabled: boolean): AnswerOf<typeof readMe> => ({
  id: person.id,
  name: person.name,
  email: person.email,
  language: person.language ?? 'Pt',
  organization: organizationView(current),
  organizations: memberships.map(organizationView),
  roles: {
    administrator: current.administrator === 1,
    manager: current.manager === 1,
    operator: current.operator === 1,
  },
  emailEnabled,
})

const organizationView = ({ id, name, owner_id }: SignedIn['current']) => ({ id, name, isPersonal: owner_id !== null })
