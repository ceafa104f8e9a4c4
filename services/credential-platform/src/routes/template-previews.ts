import { inline, serve } from '@chancela/service-kernel/http'
import { renewRepresentation } from '../actions/items/renew-representation.ts'
import { preview } from '../actions/templates/preview-template.ts'
import { guideOf } from '../actions/templates/template-content.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/template-previews.ts'
import { Previews } from '../parts/previews/previews.ts'
import type { CredentialApp } from './credential-app.ts'

/** Templates while they are designed, and documents drawn anew by them. */
export function serveTemplatePreviews(app: CredentialApp, { context }: Parts): void {
  const previews = new Previews(context)
  serve(app, contract.readTemplateGuide, ({ params }) => guideOf(params.kind))
  serve(app, contract.previewTemplate, async ({ caller, body, signal, reply }) =>
    reply
      .headers({ 'cache-control': 'no-store', 'content-disposition': inline('preview.pdf') })
      .type('application/pdf')
      .send(await preview({ context, previews }, caller, body, signal)),
  )
  serve(app, contract.renewDegreeRepresentation, ({ caller, params, now }) =>
    renewRepresentation(context, caller, 'Degree', params.id, now),
  )
  serve(app, contract.renewTranscriptRepresentation, ({ caller, params, now }) =>
    renewRepresentation(context, caller, 'AcademicTranscript', params.id, now),
  )
  serve(app, contract.renewCurriculumRepresentation, ({ caller, params, now }) =>
    renewRepresentation(context, caller, 'Curriculum', params.id, now),
  )
}
