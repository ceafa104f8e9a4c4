import { serve } from '@chancela/service-kernel/http'
import {
  changeWorkstation,
  createEnrolmentCode,
  createWorkstation,
  listWorkstations,
  revokeWorkstation,
} from '../../contract/console-workstations.ts'
import type { WorkstationDesk } from '../../parts/workstations/workstation-desk.ts'
import type { ConsoleApp } from './console-app.ts'

/** Puts the workstations on the console. */
export function serveWorkstations(app: ConsoleApp, desk: WorkstationDesk): void {
  serve(app, listWorkstations, () => desk.list())
  serve(app, createWorkstation, ({ body, caller, now }) => desk.create(body, caller.email, now))
  serve(app, changeWorkstation, ({ params, body, caller, now }) => desk.change(params.id, body, caller.email, now))
  serve(app, createEnrolmentCode, ({ params, caller, now }) => desk.anotherCode(params.id, caller.email, now))
  serve(app, revokeWorkstation, ({ params, caller, now }) => desk.revoke(params.id, caller.email, now))
}
