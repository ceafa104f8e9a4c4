import { actorOf } from '@chancela/admin-console'
import { serve } from '@chancela/service-kernel/http'
import {
  changeWorkstation,
  createEnrolmentCode,
  createWorkstation,
  listWorkstations,
  revokeWorkstation,
} from '../../contract/console-workstations.ts'
import type { WorkstationAdmin } from '../../parts/workstations/workstation-admin.ts'
import type { ConsoleApp } from './console-app.ts'

/** Registers the console routes of workstations. */
export function serveWorkstations(app: ConsoleApp, admin: WorkstationAdmin): void {
  serve(app, listWorkstations, () => admin.list())
  serve(app, createWorkstation, ({ body, caller, now }) => admin.create(body, actorOf(caller), now))
  serve(app, changeWorkstation, ({ params, body, caller, now }) => admin.change(params.id, body, actorOf(caller), now))
  serve(app, createEnrolmentCode, ({ params, caller, now }) => admin.anotherCode(params.id, actorOf(caller), now))
  serve(app, revokeWorkstation, ({ params, caller, now }) => admin.revoke(params.id, actorOf(caller), now))
}
