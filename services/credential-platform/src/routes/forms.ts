import { serve } from '@chancela/service-kernel/http'
import { checkDraft } from '../actions/forms/check-drafts.ts'
import { readForm } from '../actions/forms/read-form.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/forms.ts'
import type { CredentialApp } from './credential-app.ts'

/** Forms, and checks of what was filled in. */
export function serveForms(app: CredentialApp, { context }: Parts): void {
  serve(app, contract.readForm, ({ params, headers, locale, reply }) => {
    const { json, etag } = readForm(params.kind, locale)
    reply.headers({ etag, vary: 'accept-language', 'cache-control': 'private, no-cache' })
    const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    if (known.includes(etag) || known.includes('*')) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(json)
  })
  serve(app, contract.checkDegree, ({ caller, body, query, now }) =>
    checkDraft(context, 'degree', caller, body, query.xml === true, now),
  )
  serve(app, contract.checkEmission, ({ caller, body, query, now }) =>
    checkDraft(context, 'emission', caller, body, query.xml === true, now),
  )
  serve(app, contract.checkTranscript, ({ caller, body, query, now }) =>
    checkDraft(context, 'transcript', caller, body, query.xml === true, now),
  )
  serve(app, contract.checkCurriculum, ({ caller, body, query, now }) =>
    checkDraft(context, 'curriculum', caller, body, query.xml === true, now),
  )
}
