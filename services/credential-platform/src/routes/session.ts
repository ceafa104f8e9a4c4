import { endOtherSessions, endOwnSession, ownSessions } from '@chancela/admin-console'
import { Refusal } from '@chancela/service-kernel/errors'
import { type Call, clientAddress, serve } from '@chancela/service-kernel/http'
import { accept } from '../actions/tenants/invitations.ts'
import type { Parts } from '../compose.ts'
import { type ErrorCode, errors } from '../contract/errors.ts'
import type { Me } from '../contract/users.ts'
import * as contract from '../contract/users.ts'
import { refuse } from '../rules/refuse.ts'
import { membershipsOf } from '../store/standings.ts'
import type { CredentialApp } from './credential-app.ts'

type Account = Awaited<ReturnType<Parts['people']['signIn']['signIn']>>
type Exchange = Pick<Call, 'request' | 'reply'>

/** Signing in and out, with the accounts that all consoles share. */
export function serveSession(app: CredentialApp, { context, people }: Parts): void {
  const { sessions, signIn } = people
  sessions.slideOn(app)

  const me = async ({
    id,
    name,
    email,
    secondFactor,
  }: { id: string } & Pick<Me, 'name' | 'email' | 'secondFactor'>) => {
    const subscriptions = (await membershipsOf(context.store.db, id)).map((one) => ({
      id: one.subscriptionId,
      name: one.subscriptionName,
      role: one.role,
      disabled: one.isDisabled,
    }))
    return { name, email, secondFactor, subscriptions }
  }
  const begun = async ({ request, reply }: Exchange, account: Account): Promise<Me> => {
    reply.header('set-cookie', await sessions.begin(request, account))
    return me(sessions.localCaller(account))
  }
  serve(app, contract.signIn, async ({ body, now, ...call }) =>
    begun(call, await ours(signIn.signIn({ ...body, address: clientAddress(call.request) }, now))),
  )
  serve(app, contract.readMe, ({ caller }) => me(caller))
  serve(app, contract.signOut, async ({ request, reply }) => {
    const cookie = await sessions.end(request)
    if (cookie !== undefined) reply.header('set-cookie', cookie)
  })
  serve(app, contract.acceptInvitation, async ({ body, now, ...call }) =>
    begun(call, await ours(accept(context, people, { ...body, address: clientAddress(call.request) }, now))),
  )
  serve(app, contract.changePassword, async ({ caller, body, ...call }) =>
    begun(call, await ours(signIn.changePassword(caller, body))),
  )
  serve(app, contract.proveSession, async ({ caller, body, now }) => ours(signIn.prove(caller, body, now)))
  serve(app, contract.listOwnSessions, ({ caller, now }) => ownSessions(people.context, caller, now))
  serve(app, contract.endOwnSession, ({ caller, params }) => ours(endOwnSession(people.context, caller, params.id)))
  serve(app, contract.endOtherSessions, ({ caller }) => endOtherSessions(people.context, caller))
  serve(app, contract.beginSecondFactor, ({ caller }) => ours(signIn.beginSecondFactor(caller)))
  serve(app, contract.confirmSecondFactor, async ({ caller, body, now, ...call }) =>
    begun(call, await ours(signIn.confirmSecondFactor(caller, body, now))),
  )
}

/** The shared sign-in refuses with the codes of consoles; each has its counterpart among ours. */
async function ours<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof Refusal ? translated(error) : error
  }
}

/** Sessions are those of the session server here, and nobody is an administrator. */
const renamed: Readonly<Record<string, ErrorCode>> = { ADMINISTRATOR_SESSION_NOT_FOUND: 'browser-session-not-found' }

function translated(refusal: Refusal): Refusal {
  const code = renamed[refusal.code] ?? refusal.code.toLowerCase().replaceAll('_', '-')
  return Object.hasOwn(errors, code) ? refuse(code as ErrorCode, refusal.details, refusal) : refusal
}
