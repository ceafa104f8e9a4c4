import { createAdministrator, listAdministrators, removeAdministrator, resetSecondFactor } from '../contract/index.ts'
import { serve } from '../http/index.ts'
import { listAdministrators as list } from './administrator-rows.ts'
import type { AdministratorRow } from './administrator-table.ts'
import {
  type AdministratorGround,
  createAdministrator as create,
  removeAdministrator as remove,
  resetSecondFactor as reset,
} from './administrators.ts'
import type { ConsoleApp } from './console-app.ts'
import type { ConsoleGround } from './ground.ts'

/** Puts the local administrators on the console. */
export function serveAdministrators(app: ConsoleApp, { store, events, settings }: ConsoleGround): void {
  const ground: AdministratorGround = { store, events, passwordCost: settings.Auth.PasswordCost }
  serve(app, listAdministrators, async () => (await list(store.db)).map(toWire))
  serve(app, createAdministrator, async ({ body, caller, now }) =>
    toWire(await create(ground, body, caller.email, now)),
  )
  serve(app, removeAdministrator, ({ params, caller }) => remove(ground, params.id, caller.email))
  serve(app, resetSecondFactor, ({ params, caller }) => reset(ground, params.id, caller.email))
}

const toWire = ({ id, name, email, sealed_totp, created_at, last_sign_in_at }: AdministratorRow) => ({
  id,
  name,
  email,
  secondFactor: sealed_totp !== null,
  createdAt: created_at,
  lastSignInAt: last_sign_in_at,
})
