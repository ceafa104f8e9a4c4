import { serve } from '@chancela/service-kernel/http'
import { complete } from '../actions/signatures/complete-signature.ts'
import { prepare } from '../actions/signatures/prepare-signature.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/signatures.ts'
import type { Culture } from '../rules/cultures.ts'
import type { CoreApp } from './core-app.ts'
import { linkBase } from './link-base.ts'

/** Signatures in two steps. */
export function serveSignatures(app: CoreApp, parts: Parts): void {
  serve(app, contract.prepareSignature, ({ caller, body, locale, request, now }) =>
    prepare(parts, caller, body, { culture: locale as Culture, base: linkBase(request), now }),
  )
  serve(app, contract.completeSignature, ({ caller, body, locale, request, now }) =>
    complete(parts, caller, body, { culture: locale as Culture, base: linkBase(request), now }),
  )
}
