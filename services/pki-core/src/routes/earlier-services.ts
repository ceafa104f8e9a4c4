import { serve } from '@chancela/service-kernel/http'
import { judgeCertificate } from '../actions/authentication/judge-proof.ts'
import { readCertificate as readKnownCertificate } from '../actions/certificates/read-certificate.ts'
import { issueTimestamp, relayTimestamp } from '../actions/earlier-signatures/issue-timestamp.ts'
import { addMarks } from '../actions/earlier-signatures/mark-pdf.ts'
import { stampPdf } from '../actions/earlier-signatures/stamp-pdf.ts'
import { contextFor } from '../actions/earlier-signatures/start-signature.ts'
import type { Parts } from '../compose.ts'
import * as certificates from '../contract/certificates.ts'
import * as contract from '../contract/earlier-services.ts'
import { addPdfMarks } from '../contract/pdf-marks.ts'
import { readCertificate } from '../parts/trust/known-certificates.ts'
import { certificateModel } from '../rules/certificate-model.ts'
import type { Culture } from '../rules/cultures.ts'
import * as presets from '../rules/position-presets.ts'
import { refuse } from '../rules/refuse.ts'
import type { CoreApp } from './core-app.ts'
import { linkBase } from './link-base.ts'

/** Positions by name, certificates and timestamps. */
export function serveEarlierServices(app: CoreApp, parts: Parts): void {
  serve(app, contract.readFootnote, async ({ query }) => presets.footnote(query.pageNumber, query.rows))
  serve(app, contract.readFootnoteBottomUp, async ({ query }) => presets.footnoteBottomUp(query.pageNumber))
  serve(app, contract.readNewPage, async () => presets.newPage())
  serve(app, contract.openCertificate, async ({ caller, body, locale, now }) => {
    const certificate = readCertificate(Buffer.from(body.certificate, 'base64'))
    if (!certificate) throw refuse('PKCertificateMalformed')
    if (!body.validate) return { certificate: certificateModel(certificate), validationResults: null }
    const context = await contextFor(parts, caller.subscriptionId, undefined, body.securityContextId)
    const options = { culture: locale as Culture, ignoresUnknown: body.ignoreRevocationStatusUnknown === true }
    const judged = await judgeCertificate(certificate, context, options, now)
    return { certificate: judged.certificate!, validationResults: judged.validationResults }
  })
  serve(app, certificates.readCertificate, ({ caller, params, query }) =>
    readKnownCertificate(parts, caller, params.thumbprintSha256, query),
  )
  serve(app, contract.issueTimestamp, ({ body }) => issueTimestamp(parts, body))
  serve(app, contract.issueTierTimestamp, ({ body, params }) => issueTimestamp(parts, body, params.tier))
  serve(app, contract.issuePlanTimestamp, ({ body, params }) => issueTimestamp(parts, body, params.plan))
  serve(app, contract.relayTimestamp, ({ body, signal }) =>
    relayTimestamp(parts.timestampRelay, body, undefined, signal),
  )
  serve(app, contract.relayTierTimestamp, ({ body, params, signal }) =>
    relayTimestamp(parts.timestampRelay, body, params.tier, signal),
  )
  serve(app, addPdfMarks, ({ caller, body, locale, request, now }) =>
    addMarks(parts, caller, body, { culture: locale as Culture, base: linkBase(request), now }),
  )
  serve(app, contract.stampPdf, ({ caller, body, locale, request, now }) =>
    stampPdf(parts, caller, body, { culture: locale as Culture, base: linkBase(request), now }),
  )
}
