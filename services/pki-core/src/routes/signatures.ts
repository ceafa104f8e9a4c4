import { serve } from '@chancela/service-kernel/http'
import { documentSigners, inspect } from '../actions/inspection/inspect-signature.ts'
import { complete } from '../actions/signatures/complete-signature.ts'
import { extend } from '../actions/signatures/extend-archive.ts'
import { prepare } from '../actions/signatures/prepare-signature.ts'
import type { Parts } from '../compose.ts'
import { extendArchive } from '../contract/archival-extension.ts'
import { inspectSignature, readSigners } from '../contract/signature-inspection.ts'
import * as contract from '../contract/signatures.ts'
import type { Culture } from '../rules/cultures.ts'
import type { CoreApp } from './core-app.ts'
import { linkBase } from './link-base.ts'

/** Signatures in two steps, and what is in signed files. */
export function serveSignatures(app: CoreApp, parts: Parts): void {
  serve(app, contract.prepareSignature, ({ caller, body, locale, request, now }) =>
    prepare(parts, caller, body, { culture: locale as Culture, base: linkBase(request), now }),
  )
  serve(app, contract.completeSignature, ({ caller, body, locale, request, now }) =>
    complete(parts, caller, body, { culture: locale as Culture, base: linkBase(request), now }),
  )
  serve(app, inspectSignature, ({ caller, body, locale, request, now }) =>
    inspect(parts, caller, body, { culture: locale as Culture, base: linkBase(request), now }),
  )
  serve(app, readSigners, ({ caller, params, now }) => documentSigners(parts, caller, params.id, now))
  serve(app, extendArchive, ({ caller, body, request, now }) =>
    extend(parts, caller, body, { base: linkBase(request), now }),
  )
}
