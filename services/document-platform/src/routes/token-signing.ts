import { serve } from '@chancela/service-kernel/http'
import { actingByTicket } from '../actions/participants/participant-access.ts'
import * as contract from '../contract/token-signing.ts'
import { beginTokenSigning, withdraw } from '../parts/signing/token/begin-token-signing.ts'
import { lookTokenSigning } from '../parts/signing/token/look-token-signing.ts'
import type { TokenSigning } from '../parts/signing/token/open-token-signing.ts'
import { beginComputerTest, lookComputerTest } from '../parts/signing/token/test-computer.ts'
import { refuse } from '../rules/refuse.ts'
import { findTokenSigning } from '../store/token-signings.ts'
import { originOf } from './origin-of.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the routes with which a participant signs with a token, and with which a computer is tested. */
export function serveTokenSigning(app: PlatformApp, token: TokenSigning): void {
  const { context } = token

  serve(app, contract.beginTokenSigning, async ({ params, body }) =>
    beginTokenSigning(token, await actingByTicket(context, params.key, body.ticket), body),
  )

  serve(app, contract.lookTokenSigning, ({ params, body, request, now }) => {
    const acting = () => actingByTicket(context, params.key, body.ticket)
    return lookTokenSigning(token, { id: params.id, acting, origin: originOf(request) }, now)
  })

  serve(app, contract.cancelTokenSigning, async ({ params, query }) => {
    const { participant } = await actingByTicket(context, params.key, query.ticket)
    const begun = { id: params.id, participantId: participant.id }
    if (!(await findTokenSigning(context.store.db, begun))) throw refuse('TokenSigningNotFound')
    await withdraw(token, participant.id)
  })

  serve(app, contract.beginComputerTest, () => beginComputerTest(token))

  serve(app, contract.lookComputerTest, ({ body, now }) => lookComputerTest(token, body.id, now))
}
