import { serve } from '@chancela/service-kernel/http'
import { makeOffer, readOffer, takeOffer } from '../actions/wallet/wallet-offers.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/wallet-offers.ts'
import { languageOf, wantsPage } from './asked-form.ts'
import type { CredentialApp } from './credential-app.ts'
import { sendToken } from './wallet.ts'
import { noOfferPage, offerPage } from './wallet-page.ts'

/** Links for students: made by the institution, opened by whoever has one. */
export function serveWalletOffers(app: CredentialApp, parts: Parts): void {
  serve(app, contract.offerDegree, ({ caller, params, now }) => makeOffer(parts, caller, 'Degree', params.id, now))
  serve(app, contract.offerTranscript, ({ caller, params, now }) =>
    makeOffer(parts, caller, 'AcademicTranscript', params.id, now),
  )
  serve(app, contract.readWalletOffer, async ({ params, now, request, reply }) => {
    // The address is a secret: it must not travel on to where a link of the page leads.
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    if (!wantsPage(request)) return readOffer(parts, params.ticket, now)
    const offer = await readOffer(parts, params.ticket, now).catch(ifNone)
    const { page, headers } = offer ? offerPage(offer, languageOf(request)) : noOfferPage(languageOf(request))
    return reply
      .code(offer ? 200 : 404)
      .headers(headers)
      .send(page)
  })
  serve(app, contract.takeWalletOffer, async ({ params, now, reply }) => {
    const { token, code } = await takeOffer(parts, params.ticket, now)
    return sendToken(reply, token, code)
  })
}

const ifNone = (error: unknown): undefined => {
  if ((error as { code?: unknown }).code === 'offer-not-found') return undefined
  throw error
}
