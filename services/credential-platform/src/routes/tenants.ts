import { type Call, serve } from '@chancela/service-kernel/http'
import * as applications from '../actions/tenants/applications.ts'
import * as institutes from '../actions/tenants/institutes.ts'
import * as partnerships from '../actions/tenants/partnerships.ts'
import { readEvents } from '../actions/tenants/read-events.ts'
import { Setup } from '../actions/tenants/setup.ts'
import { courseKind, flowKind, templateKind } from '../actions/tenants/setup-kinds.ts'
import * as subscriptions from '../actions/tenants/subscriptions.ts'
import * as users from '../actions/tenants/users.ts'
import type { Parts } from '../compose.ts'
import * as ofApplications from '../contract/applications.ts'
import { listEvents } from '../contract/events.ts'
import * as ofInstitutes from '../contract/institutes.ts'
import * as ofPartnerships from '../contract/partnerships.ts'
import * as setup from '../contract/setup.ts'
import * as ofSubscriptions from '../contract/subscriptions.ts'
import * as ofUsers from '../contract/users.ts'
import { languageOf } from './asked-form.ts'
import type { CredentialApp } from './credential-app.ts'

/** Organizations, and what they set up. */
export function serveTenants(app: CredentialApp, parts: Parts): void {
  serveSubscriptions(app, parts)
  serveUsers(app, parts)
  serveApplications(app, parts)
  serveInstitutes(app, parts)
  servePartnerships(app, parts)
  serveSetup(app, parts)
  serve(app, listEvents, ({ caller, query }) => readEvents(parts.context, caller, query))
}

function serveSubscriptions(app: CredentialApp, { context }: Parts): void {
  serve(app, ofSubscriptions.listSubscriptions, ({ query }) => subscriptions.listed(context, query))
  serve(app, ofSubscriptions.createSubscription, ({ caller, body, now }) =>
    subscriptions.create(context, caller, body.name, now),
  )
  serve(app, ofSubscriptions.changeSubscription, ({ caller, params, body, now }) =>
    subscriptions.change(context, caller, params.id, body, now),
  )
  serve(app, ofSubscriptions.readSubscription, ({ caller, params }) =>
    subscriptions.readOwn(context, caller, params.id),
  )
}

function serveUsers(app: CredentialApp, { context, mailer }: Parts): void {
  const inviting = (request: Call['request']) => ({ context, mailer, language: languageOf(request) })
  serve(app, ofUsers.listUsers, ({ caller, query }) => users.listed(context, caller, query))
  serve(app, ofUsers.createUser, ({ caller, body, request, now }) => users.create(inviting(request), caller, body, now))
  serve(app, ofUsers.readUser, ({ caller, params }) => users.read(context, caller, params.id))
  serve(app, ofUsers.changeUser, ({ caller, params, body, now }) => users.change(context, caller, params.id, body, now))
  serve(app, ofUsers.deleteUser, ({ caller, params, now }) => users.remove(context, caller, params.id, now))
  serve(app, ofUsers.inviteUserAgain, ({ caller, params, request, now }) =>
    users.inviteAgain(inviting(request), caller, params.id, now),
  )
}

function serveApplications(app: CredentialApp, parts: Parts): void {
  serve(app, ofApplications.listApplications, ({ caller, query }) => applications.listed(parts, caller, query))
  serve(app, ofApplications.createApplication, ({ caller, body, now }) => applications.create(parts, caller, body, now))
  serve(app, ofApplications.readApplication, ({ caller, params }) => applications.read(parts, caller, params.id))
  serve(app, ofApplications.changeApplication, ({ caller, params, body, now }) =>
    applications.changeOne(parts, caller, params.id, body, now),
  )
  serve(app, ofApplications.deleteApplication, ({ caller, params, now }) =>
    applications.remove(parts, caller, params.id, now),
  )
  serve(app, ofApplications.listApplicationKeys, ({ caller, params }) => applications.keysOf(parts, caller, params.id))
  serve(app, ofApplications.createApplicationKey, ({ caller, params, body, now }) =>
    applications.newKey(parts, caller, params.id, body, now),
  )
  serve(app, ofApplications.revokeApplicationKey, ({ caller, params, now }) =>
    applications.endKey(parts, caller, params, now),
  )
}

function serveInstitutes(app: CredentialApp, { context }: Parts): void {
  serve(app, ofInstitutes.listInstitutes, ({ caller, query }) => institutes.listed(context, caller, query))
  serve(app, ofInstitutes.createInstitute, ({ caller, body, headers, now }) =>
    institutes.create(context, caller, body, headers['idempotency-key'], now),
  )
  serve(app, ofInstitutes.readInstitute, ({ caller, params }) => institutes.read(context, caller, params.id))
  serve(app, ofInstitutes.changeInstitute, ({ caller, params, body, now }) =>
    institutes.change(context, caller, params.id, body, now),
  )
  serve(app, ofInstitutes.deleteInstitute, ({ caller, params, now }) =>
    institutes.remove(context, caller, params.id, now),
  )
}

function servePartnerships(app: CredentialApp, { context }: Parts): void {
  serve(app, ofPartnerships.listPartnerships, ({ caller, query }) => partnerships.listed(context, caller, query))
  serve(app, ofPartnerships.proposePartnership, ({ caller, body, now }) =>
    partnerships.propose(context, caller, body, now),
  )
  serve(app, ofPartnerships.acceptPartnership, ({ caller, params, now }) =>
    partnerships.accept(context, caller, params.id, now),
  )
  serve(app, ofPartnerships.endPartnership, ({ caller, params, now }) =>
    partnerships.end(context, caller, params.id, now),
  )
}

function serveSetup(app: CredentialApp, { context }: Parts): void {
  const courses = new Setup(context, courseKind)
  serve(app, setup.courses.list, ({ caller, query }) => courses.list(caller, query))
  serve(app, setup.courses.create, ({ caller, body, headers, now }) =>
    courses.create(caller, body, headers['idempotency-key'], now),
  )
  serve(app, setup.courses.read, ({ caller, params }) => courses.read(caller, params.id))
  serve(app, setup.courses.change, ({ caller, params, body, now }) => courses.change(caller, params.id, body, now))
  serve(app, setup.courses.remove, ({ caller, params, now }) => courses.remove(caller, params.id, now))
  const flows = new Setup(context, flowKind)
  serve(app, setup.flows.list, ({ caller, query }) => flows.list(caller, query))
  serve(app, setup.flows.create, ({ caller, body, headers, now }) =>
    flows.create(caller, body, headers['idempotency-key'], now),
  )
  serve(app, setup.flows.read, ({ caller, params }) => flows.read(caller, params.id))
  serve(app, setup.flows.change, ({ caller, params, body, now }) => flows.change(caller, params.id, body, now))
  serve(app, setup.flows.remove, ({ caller, params, now }) => flows.remove(caller, params.id, now))
  const templates = new Setup(context, templateKind)
  serve(app, setup.templates.list, ({ caller, query }) => templates.list(caller, query))
  serve(app, setup.templates.create, ({ caller, body, headers, now }) =>
    templates.create(caller, body, headers['idempotency-key'], now),
  )
  serve(app, setup.templates.read, ({ caller, params }) => templates.read(caller, params.id))
  serve(app, setup.templates.change, ({ caller, params, body, now }) => templates.change(caller, params.id, body, now))
  serve(app, setup.templates.remove, ({ caller, params, now }) => templates.remove(caller, params.id, now))
}
