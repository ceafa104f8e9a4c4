import { type Call, serve } from '@chancela/service-kernel/http'
import type { AdministratorRow } from './administrator-table.ts'
import type { SignedIn } from './caller.ts'
import type { ConsoleApp } from './console-app.ts'
import type { ConsoleContext } from './console-context.ts'
import { rightsOf } from './console-schemes.ts'
import type { ConsoleSessions } from './console-sessions.ts'
import {
  beginSecondFactor,
  type ConsoleRights,
  changePassword,
  confirmSecondFactor,
  endOtherSessions,
  endOwnSession,
  finishOidc,
  listAdministratorSessions,
  listOwnSessions,
  makeRecoveryCodes,
  proveSession,
  readMe,
  readRecoveryCodes,
  readSignInWays,
  signAdministratorOut,
  signIn,
  signInWithOidc,
  signOut,
} from './contract/index.ts'
import { LocalSignIn } from './local-sign-in.ts'
import { OidcSignIn } from './oidc-sign-in.ts'
import type { Step } from './oidc-trip.ts'
import {
  allSessions,
  endOwnSession as endOne,
  endOtherSessions as endOthers,
  ownSessions,
  signOutByAddress,
} from './own-sessions.ts'
import { PasskeyQuestions } from './passkey-questions.ts'
import { PasskeySignIn } from './passkey-sign-in.ts'
import { Passkeys } from './passkeys.ts'
import { recoveryCodesLeft } from './recovery-codes.ts'
import { refuse } from './refuse.ts'
import { relyingPartyOf } from './relying-party.ts'
import { servePasskeys } from './serve-passkeys.ts'

type Reply = Call['reply']

const EITHER = { field: 'passkey', errors: { passkey: ['Give a code or a passkey, not both.'] } }

/** Adds sign-in and sign-out to the console, and extends sessions that are used. */
export function serveSession(
  app: ConsoleApp,
  context: ConsoleContext,
  sessions: ConsoleSessions,
  rights: ConsoleRights,
): void {
  const local = new LocalSignIn(context)
  const questions = new PasskeyQuestions(context)
  const passkeys = new Passkeys(context, questions)
  const passkeySignIn = new PasskeySignIn(context, { passkeys, questions, local })
  const shown = (me: SignedIn) => ({ ...me, rights: rightsOf(rights, me.role) })
  sessions.slideOn(app)
  /** Starts a new session with the administrator's current credentials. */
  const begun = async ({ request, reply }: Pick<Call, 'request' | 'reply'>, administrator: AdministratorRow) => {
    reply.header('set-cookie', await sessions.begin(request, administrator))
    return shown(sessions.localCaller(administrator))
  }

  serve(app, signIn, async ({ body: { passkey, ...body }, now, request, reply }) => {
    if (passkey && body.code !== undefined) throw refuse('INVALID_REQUEST', EITHER)
    const isPasskey = passkey && {
      isPasskey: (row: AdministratorRow) => passkeySignIn.isFactorOf(request, passkey, row, now),
    }
    return begun({ request, reply }, await local.signIn({ ...body, ...isPasskey, address: request.ip }, now))
  })
  serve(app, readMe, ({ caller: { address: _, session: __, ...me } }) => shown(me))
  serve(app, signOut, async ({ request, reply }) => {
    const cookie = await sessions.end(request)
    if (cookie !== undefined) reply.header('set-cookie', cookie)
  })
  serve(app, beginSecondFactor, ({ caller }) => local.beginSecondFactor(caller))
  serve(app, confirmSecondFactor, async ({ caller, body, now, ...call }) =>
    begun(call, await local.confirmSecondFactor(caller, body, now)),
  )
  serve(app, changePassword, async ({ caller, body, ...call }) => begun(call, await local.changePassword(caller, body)))
  serve(app, proveSession, ({ caller, body, now }) => local.prove(caller, body, now))
  serve(app, readRecoveryCodes, async ({ caller }) => ({ left: await recoveryCodesLeft(context.store.db, caller.id) }))
  serve(app, makeRecoveryCodes, ({ caller }) => local.makeRecoveryCodes(caller))
  servePasskeys(app, passkeys, passkeySignIn, begun)
  serveOwnSessions(app, context)
  serveOidc(app, context, sessions)
}

function serveOwnSessions(app: ConsoleApp, context: ConsoleContext): void {
  serve(app, listOwnSessions, ({ caller, now }) => ownSessions(context, caller, now))
  serve(app, endOwnSession, ({ caller, params }) => endOne(context, caller, params.id))
  serve(app, endOtherSessions, ({ caller }) => endOthers(context, caller))
  serve(app, listAdministratorSessions, ({ caller, now }) => allSessions(context, caller, now))
  serve(app, signAdministratorOut, ({ caller, body }) => signOutByAddress(context, caller, body.email))
}

function serveOidc(app: ConsoleApp, context: ConsoleContext, sessions: ConsoleSessions): void {
  const { Auth, Oidc } = context.settings
  const oidc = new OidcSignIn(context, sessions)
  serve(app, readSignInWays, ({ request }) => ({
    password: Auth.Password,
    passkey: Auth.Password && relyingPartyOf(request, context.settings.Console.PublicUrl) !== undefined,
    oidc: Oidc.Enabled ? { title: Oidc.Title, path: signInWithOidc.path } : null,
  }))
  serve(app, signInWithOidc, async ({ query, request, reply }) => goOn(reply, await oidc.begin(request, query)))
  serve(app, finishOidc, async ({ request, reply }) => goOn(reply, await oidc.finish(request)))
}

/** A browser always gets a page, whatever the result. */
function goOn(reply: Reply, step: Step): Reply {
  if (step.cookies.length > 0) reply.header('set-cookie', [...step.cookies])
  return reply.redirect('to' in step ? step.to : `/login?error=${step.problem}`)
}
