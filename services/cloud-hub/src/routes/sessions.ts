import { type Call, serve } from '@chancela/service-kernel/http'
import {
  type Begun,
  type Creating,
  createServiceSession,
  createSession,
  providerNamed,
} from '../actions/create-session.ts'
import { customStateOf } from '../actions/read-custom-state.ts'
import * as contract from '../contract/sessions.ts'
import { readCustomState } from '../contract/signing.ts'
import { newHandle } from '../rules/handle.ts'
import { requestedIdentifier } from '../rules/requested-identifier.ts'
import { chooserUrl } from '../upstream/addresses.ts'
import type { Provider } from '../upstream/provider.ts'
import { serviceInfo } from '../upstream/service-info.ts'
import type { ContractApp } from './contract-app.ts'

/** Creating sessions and finding providers. */
export function serveSessions(app: ContractApp, creating: Creating): void {
  const { context, providers, discovery } = creating

  serve(app, contract.createSession, async (call) => {
    const { begun, unanswered } = await createSession(creating, call.body, call)
    nameUnanswered(call.reply, unanswered)
    return { services: begun.map(authParameters) }
  })

  serve(app, contract.createServiceSession, async (call) =>
    authParameters(await createServiceSession(creating, call.params.name, call.body, call)),
  )

  serve(app, contract.createChooser, async (call) => {
    const ticket = newHandle()
    const { unanswered } = await createSession(creating, call.body, call, ticket)
    nameUnanswered(call.reply, unanswered)
    return { chooserUrl: chooserUrl(context.settings, ticket) }
  })

  serve(app, contract.listServices, async ({ query, reply }) => {
    const found = await discovery.holders(requestedIdentifier(query.identifier, query.identifierType))
    nameUnanswered(reply, found.unanswered)
    return found.providers.map(serviceInfo)
  })

  serve(app, contract.readAvailability, async ({ query, params }) => {
    const provider = providerNamed(providers, params.name)
    if (query.identifier === undefined)
      return { discoveryAvailable: await discovery.answers(provider), certificateFound: null }
    const found = await discovery.holds(provider, requestedIdentifier(query.identifier, query.identifierType))
    return { discoveryAvailable: found !== undefined, certificateFound: found ?? null }
  })

  serve(app, readCustomState, ({ query, caller }) => customStateOf(context, query.session, caller.keyId))
}

/** Tells an outage from "no certificate", for which the contract has no field. Names of services need no quoting. */
function nameUnanswered(reply: Call['reply'], unanswered: readonly Provider[]): void {
  if (unanswered.length === 0) return
  reply.header('x-unanswered-providers', unanswered.map(({ serviceName }) => serviceName).join(', '))
}

const authParameters = ({ provider, authUrl }: Begun) => ({ serviceInfo: serviceInfo(provider), authUrl })
