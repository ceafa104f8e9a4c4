import { serve } from '@chancela/service-kernel/http'
import * as changes from '../actions/degrees/change-degree.ts'
import { create } from '../actions/degrees/make-degree.ts'
import * as emissions from '../actions/emissions/emissions.ts'
import { listItems, readItem } from '../actions/items/item-reads.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/degrees.ts'
import { answered } from './answered.ts'
import type { CredentialApp } from './credential-app.ts'
import { sendItemFile } from './items.ts'

export function serveDegrees(app: CredentialApp, parts: Parts): void {
  const { context } = parts
  serve(app, contract.degrees.list, ({ caller, query }) => listItems(context, caller, 'Degree', query))
  serve(app, contract.createDegree, ({ caller, body, headers, now }) =>
    create(parts, caller, body, headers['idempotency-key'], now),
  )
  serve(app, contract.degrees.read, ({ caller, params }) => readItem(context, caller, 'Degree', params.id))
  serve(app, contract.degrees.file, (call) => sendItemFile(parts, 'Degree', call))
  serve(app, contract.cancelDegree, async ({ caller, params, body, now, reply }) =>
    answered(reply, await changes.cancel(parts, caller, params.id, body, now)),
  )
  serve(app, contract.restoreDegree, async ({ caller, params, body, now, reply }) =>
    answered(reply, await changes.restore(parts, caller, params.id, body.reason, now)),
  )
  serve(app, contract.createDegreeTranscript, ({ caller, params, body, now }) =>
    changes.createTranscript(parts, caller, params.id, body.flowId, now),
  )
}

/** Emissions, until they are signed. */
export function serveEmissions(app: CredentialApp, parts: Parts): void {
  const { context } = parts
  serve(app, contract.emissions.list, ({ caller, query }) => listItems(context, caller, 'Emission', query))
  serve(app, contract.createEmission, ({ caller, body, headers, now }) =>
    emissions.create(parts, caller, body, headers['idempotency-key'], now),
  )
  serve(app, contract.emissions.read, ({ caller, params }) => readItem(context, caller, 'Emission', params.id))
  serve(app, contract.emissions.file, (call) => sendItemFile(parts, 'Emission', call))
  serve(app, contract.cancelEmission, ({ caller, params, body, now }) =>
    emissions.cancel(parts, caller, params.id, body.reason, now),
  )
  serve(app, contract.restoreEmission, ({ caller, params, body, now }) =>
    emissions.restore(parts, caller, params.id, body.reason, now),
  )
}
