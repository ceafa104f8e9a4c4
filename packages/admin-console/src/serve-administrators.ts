import { serve } from '@chancela/service-kernel/http'
import { changeRole } from './administrator-roles.ts'
import { listAdministrators as list } from './administrator-rows.ts'
import type { AdministratorRow } from './administrator-table.ts'
import {
  type AdministratorContext,
  createAdministrator as create,
  removeAdministrator as remove,
  resetSecondFactor as reset,
} from './administrators.ts'
import { actorOf } from './audit.ts'
import type { ConsoleApp } from './console-app.ts'
import type { ConsoleContext } from './console-context.ts'
import {
  changeAdministratorRole,
  createAdministrator,
  listAdministrators,
  removeAdministrator,
  resetSecondFactor,
} from './contract/index.ts'
import { hasFactor } from './factors.ts'

/** Adds the routes of local administrators to the console. */
export function serveAdministrators(app: ConsoleApp, { store, events, settings }: ConsoleContext): void {
  const context: AdministratorContext = { store, events, passwordCost: settings.Auth.PasswordCost }
  serve(app, listAdministrators, async () => (await list(store.db)).map(toWire))
  serve(app, createAdministrator, async ({ body, caller, now }) =>
    toWire(await create(context, body, actorOf(caller), now)),
  )
  serve(app, changeAdministratorRole, async ({ params, body, caller }) =>
    toWire(await changeRole(context, { id: params.id, role: body.role }, actorOf(caller), caller)),
  )
  serve(app, removeAdministrator, ({ params, caller }) => remove(context, params.id, actorOf(caller)))
  serve(app, resetSecondFactor, ({ params, caller }) => reset(context, params.id, actorOf(caller)))
}

const toWire = ({ id, name, email, role, created_at, last_sign_in_at, ...factors }: AdministratorRow) => ({
  id,
  name,
  email,
  role,
  secondFactor: hasFactor(factors),
  createdAt: created_at,
  lastSignInAt: last_sign_in_at,
})
