import { type Call, serve } from '@chancela/service-kernel/http'
import type { Static } from 'typebox'
import type { AdministratorRow } from './administrator-table.ts'
import type { ConsoleApp } from './console-app.ts'
import {
  addPasskey,
  askForProof,
  askForSignIn,
  listPasskeys,
  planPasskey,
  proveWithPasskey,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
} from './contract/index.ts'
import type { Me } from './contract/session.ts'
import type { PasskeySignIn } from './passkey-sign-in.ts'
import type { PasskeyRow } from './passkey-table.ts'
import type { Passkeys } from './passkeys.ts'

type Exchange = Pick<Call, 'request' | 'reply'>

/** Begins a session with the administrator's current credentials. */
export type Begin = (exchange: Exchange, administrator: AdministratorRow) => Promise<Static<typeof Me>>

/** Adds passkeys to the console: signing in and proving with them, and those of whoever is signed in. */
export function servePasskeys(app: ConsoleApp, passkeys: Passkeys, signIn: PasskeySignIn, begun: Begin): void {
  serve(app, askForSignIn, ({ request, reply }) => {
    const { question, cookie } = signIn.askForSignIn(request)
    reply.header('set-cookie', cookie)
    return question
  })
  serve(app, signInWithPasskey, async ({ request, reply, body, now }) =>
    begun({ request, reply }, await signIn.signIn(request, body.passkey, now)),
  )
  serve(app, askForProof, async ({ request, reply, caller }) => {
    const { question, cookie } = await signIn.askForProof(request, caller)
    reply.header('set-cookie', cookie)
    return question
  })
  serve(app, proveWithPasskey, ({ request, caller, body, now }) => signIn.prove(request, caller, body.passkey, now))
  serveOwnPasskeys(app, passkeys, begun)
}

function serveOwnPasskeys(app: ConsoleApp, passkeys: Passkeys, begun: Begin): void {
  serve(app, listPasskeys, async ({ caller }) => (await passkeys.list(caller)).map(toWire))
  serve(app, planPasskey, async ({ request, reply, caller }) => {
    const { plan, cookie } = await passkeys.plan(request, caller)
    reply.header('set-cookie', cookie)
    return plan
  })
  serve(app, addPasskey, async ({ request, reply, caller, body, now }) => {
    const { row, administrator } = await passkeys.add(request, caller, body, now)
    await begun({ request, reply }, administrator)
    return toWire(row)
  })
  serve(app, renamePasskey, async ({ caller, params, body }) =>
    toWire(await passkeys.rename(caller, params.id, body.name)),
  )
  serve(app, removePasskey, async ({ request, reply, caller, params }) => {
    await begun({ request, reply }, await passkeys.remove(caller, params.id))
  })
}

const toWire = ({ id, name, rp_id, created_at, last_used_at }: PasskeyRow) => ({
  id,
  name,
  host: rp_id,
  createdAt: created_at,
  lastUsedAt: last_used_at,
})
