import { serve } from '@chancela/service-kernel/http'
import { type ChooserParts, chooserUrl } from '../actions/choose-provider.ts'
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
import { serviceInfo } from '../upstream/service-info.ts'
import type { ContractApp } from './contract-app.ts'

/** Creating sessions and finding providers. */
export function serveSessions(app: ContractApp, creating: Creating & ChooserParts): void {
  const { context, providers, discovery } = creating

  serve(app, contract.createSession, async (call) => ({
    services: (await createSession(creating, call.body, call)).map(authParameters),
  }))

  serve(app, contract.createServiceSession, async (call) =>
    authParameters(await createServiceSession(creating, call.params.name, call.body, call)),
  )

  serve(app, contract.createChooser, async (call) => {
    const ticket = newHandle()
    await createSession(creating, call.body, call, ticket)
    return { chooserUrl: chooserUrl(creating, ticket) }
  })

  serve(app, contract.listServices, async ({ query }) => {
    const identifier = requestedIdentifier(query.identifier, query.identifierType)
    return (await discovery.holders(identifier)).map(serviceInfo)
  })

  serve(app, contract.readAvailability, async ({ query, params }) => {
    const provider = providerNamed(providers, params.name)
    if (query.identifier === undefined)
      return { discoveryAvailable: await discovery.answers(provider), certificateFound: null }
    const found = await discovery.holds(provider, requestedIdentifier(query.identifier, query.identifierType))
    return { discoveryAvailable: found !== undefined, certificateFound: found ?? null }
  })

  serve(app, readCustomState, ({ query, caller }) => customStateOf(context.store.db, query.session, caller.keyId))
}

const authParameters = ({ provider, authUrl }: Begun) => ({ serviceInfo: serviceInfo(provider), authUrl })
