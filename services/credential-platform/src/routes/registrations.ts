import { inline, serve } from '@chancela/service-kernel/http'
import { takeRegistered } from '../actions/emissions/registered-xml.ts'
import { sendEmission } from '../actions/emissions/send-emission.ts'
import { cancel } from '../actions/registrations/cancel.ts'
import { accept, approve, reject } from '../actions/registrations/decide.ts'
import { fileOf, listed, read } from '../actions/registrations/read-registrations.ts'
import { register } from '../actions/registrations/register.ts'
import { putSettings, readSettings } from '../actions/registrations/registry-settings.ts'
import { onDegreeSigned } from '../actions/registrations/signed.ts'
import { create } from '../actions/registrations/take-in.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/registrations.ts'
import { refuse } from '../rules/refuse.ts'
import { answered } from './answered.ts'
import type { CredentialApp } from './credential-app.ts'
import { sendFile } from './send-file.ts'
import { xmlBody, xmlForm } from './uploaded-xml.ts'

/** What issuers and registrars exchange. */
export function serveRegistrations(app: CredentialApp, parts: Parts): void {
  const { context, desk } = parts
  desk.onClosed('Registration', onDegreeSigned(context))
  serveRequests(app, parts)
  serve(app, contract.acceptRegistration, ({ caller, params, now }) => accept(context, caller, params.id, now))
  serve(app, contract.approveRegistration, ({ caller, params, now }) => approve(context, caller, params.id, now))
  serve(app, contract.rejectRegistration, ({ caller, params, body, now }) =>
    reject(context, caller, params.id, body.reason, now),
  )
  serve(app, contract.register, ({ caller, params, body, now }) => register(parts, caller, params.id, body, now))
  serve(app, contract.cancelRegistration, async ({ caller, params, body, now, reply }) =>
    answered(reply, await cancel(parts, caller, params.id, body, now)),
  )
  serve(app, contract.readRegistrySettings, ({ caller, params }) => readSettings(context, caller, params.id))
  serve(app, contract.putRegistrySettings, ({ caller, params, body, now }) =>
    putSettings(context, caller, params.id, body, now),
  )
  serve(app, contract.sendEmission, ({ caller, params, body, now }) =>
    sendEmission(parts, caller, params.id, body, now),
  )
  serve(app, contract.uploadRegisteredXml, async ({ caller, params, request, now }) =>
    takeRegistered(parts, caller, params.id, await xmlBody(request, limitOf(parts)), now),
  )
}

const limitOf = ({ context }: Parts): number => context.settings.Checks.MaxDocumentBytes

function serveRequests(app: CredentialApp, parts: Parts): void {
  const { context } = parts
  serve(app, contract.createRegistration, async ({ caller, request, headers, now }) => {
    const { bytes, fields } = await xmlForm(request, limitOf(parts))
    return create(parts, caller, { bytes, ...formOf(fields) }, headers['idempotency-key'], now)
  })
  serve(app, contract.listRegistrations, ({ caller, query }) => listed(context, caller, query))
  serve(app, contract.readRegistration, ({ caller, params }) => read(context, caller, params.id))
  serve(app, contract.readRegistrationFile, async ({ caller, params, request, reply }) => {
    const file = await fileOf(context, caller, params.id, params.name)
    return sendFile(context, { request, reply }, file, inline(`${params.name}.xml`))
  })
}

const LONGEST_DESCRIPTION = 2000

/** The fields of the form besides the file; one that nobody knows is refused by its name. */
function formOf(fields: ReadonlyMap<string, string>) {
  const unknown = [...fields.keys()].filter((name) => name !== 'instituteId' && name !== 'description')
  const instituteId = fields.get('instituteId')?.trim() ?? ''
  const description = fields.get('description')?.trim() || null
  const problems = {
    ...Object.fromEntries(unknown.map((name) => [name, ['is not known here']])),
    ...(instituteId === '' && { instituteId: ['is required'] }),
    ...((description?.length ?? 0) > LONGEST_DESCRIPTION && { description: ['is too long'] }),
  }
  if (Object.keys(problems).length > 0) throw refuse('invalid-request', { fields: problems })
  return { instituteId, description }
}
