import { serve } from '@chancela/service-kernel/http'
import * as connection from '../actions/signing/platform-connection.ts'
import { hearPlatform } from '../actions/signing/platform-webhook.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/document-platform.ts'
import type { CredentialApp } from './credential-app.ts'

/** The document platform at which people of an organization sign. */
export function serveDocumentPlatform(app: CredentialApp, parts: Parts): void {
  serve(app, contract.readDocumentPlatform, ({ caller, params }) => connection.read(parts, caller, params.id))
  serve(app, contract.putDocumentPlatform, ({ caller, params, body, now }) =>
    connection.put(parts, caller, params.id, body, now),
  )
  serve(app, contract.deleteDocumentPlatform, ({ caller, params, now }) =>
    connection.remove(parts, caller, params.id, now),
  )
  serve(app, contract.hearDocumentPlatform, ({ caller, body, now }) => hearPlatform(parts, caller, body, now))
  serve(app, contract.testDocumentPlatform, ({ caller, params }) => connection.test(parts, caller, params.id))
}
