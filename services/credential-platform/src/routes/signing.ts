import { attachment, serve } from '@chancela/service-kernel/http'
import * as certificates from '../actions/signing/institute-certificate.ts'
import { reopen } from '../actions/signing/reopen-document.ts'
import * as documents from '../actions/signing/sign-document.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/signing.ts'
import type { CredentialApp } from './credential-app.ts'

/** Documents while they are signed, and the certificates of institutions. */
export function serveSigning(app: CredentialApp, parts: Parts): void {
  serve(app, contract.listDocuments, ({ caller, query }) => documents.listed(parts, caller, query.ownerId))
  serve(app, contract.readDocument, ({ caller, params }) => documents.read(parts, caller, params.id))
  serve(app, contract.readDocumentContent, async ({ caller, params, reply }) => {
    const { digest, bytes } = await documents.content(parts, caller, params.id)
    return reply
      .type('application/xml')
      .header('etag', `"${digest}"`)
      .header('content-disposition', attachment('document.xml'))
      .send(bytes)
  })
  serve(app, contract.startSignature, ({ caller, params, body, now }) =>
    documents.start(parts, caller, params.id, body, now),
  )
  serve(app, contract.completeSignature, ({ caller, params, body, now }) =>
    documents.complete(parts, caller, params.id, body, now),
  )
  serve(app, contract.reopenDocument, ({ caller, params, body, now }) =>
    reopen(parts, caller, params.id, body.signedAt, now),
  )
  serve(app, contract.putInstituteCertificate, ({ caller, params, body, now }) =>
    certificates.put(parts, caller, params.id, body, now),
  )
  serve(app, contract.readInstituteCertificate, ({ caller, params }) => certificates.read(parts, caller, params.id))
  serve(app, contract.deleteInstituteCertificate, ({ caller, params, now }) =>
    certificates.remove(parts, caller, params.id, now),
  )
}
