import { serve } from '@chancela/service-kernel/http'
import { listed, retry } from '../actions/restamps/restamps.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/restamps.ts'
import type { CredentialApp } from './credential-app.ts'

/** Renewals of archives. */
export function serveRestamps(app: CredentialApp, { context }: Parts): void {
  serve(app, contract.listRestamps, ({ caller, query }) => listed(context, caller, query))
  serve(app, contract.retryRestamp, ({ caller, params, now }) => retry(context, caller, params.id, now))
}
