import { serve } from '@chancela/service-kernel/http'
import * as signer from '../actions/remote-signing/signer.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/signer.ts'
import type { CredentialApp } from './credential-app.ts'

/** As whom people sign, and what waits for them. */
export function serveSigner(app: CredentialApp, parts: Parts): void {
  serve(app, contract.readSigner, ({ caller }) => signer.read(parts, caller))
  serve(app, contract.setSigner, ({ caller, body, now }) => signer.write(parts, caller, body, now))
  serve(app, contract.listWaitingDocuments, ({ caller, query }) => signer.waiting(parts, caller, query))
}
