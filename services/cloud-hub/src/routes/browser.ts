// Routes for browsers on their way between client, hub and provider.
import { fileURLToPath } from 'node:url'
import { type Call, serve } from '@chancela/service-kernel/http'
import { isBundle, serveBundle } from '@chancela/service-kernel/service'
import { awaitConfirmation, leavePhone } from '../actions/await-confirmation.ts'
import { type ChooserParts, chooseNone, readChoice } from '../actions/choose-provider.ts'
import { type CallbackParts, finishAuthorization } from '../actions/finish-authorization.ts'
import type { Context } from '../context.ts'
import * as contract from '../contract/browser.ts'
import { refuse } from '../rules/refuse.ts'
import type { Providers } from '../upstream/provider.ts'
import { monogram } from './badge.ts'
import type { ContractApp } from './contract-app.ts'
import { deadEnd } from './dead-end.ts'
import { waitingPage } from './waiting-page.ts'

type BrowserParts = CallbackParts & ChooserParts & { readonly providers: Providers }

export function serveBrowsers(app: ContractApp, parts: BrowserParts): void {
  serve(app, contract.finishAuthorization, async ({ params: { name }, query, correlationId, now, reply, request }) =>
    sendOn(
      reply,
      request,
      isMeant(request) ? await finishAuthorization(parts, { name, query, correlationId, now }) : undefined,
    ),
  )

  serve(app, contract.awaitConfirmation, async ({ params: { name }, query, correlationId, now, reply, request }) => {
    const opening = { name, state: query.state, acts: isMeant(request), correlationId, now }
    const opened = await awaitConfirmation(parts, opening)
    if ('address' in opened) return sendOn(reply, request, opened.address)
    const { page, headers } = waitingPage(request.headers['accept-language'], opened.view)
    return reply.headers(headers).send(page)
  })

  serve(app, contract.leavePhone, async ({ params: { name }, query, correlationId, now, reply, request }) => {
    const opening = { name, state: query.state, acts: isMeant(request), correlationId, now }
    return sendOn(reply, request, await leavePhone(parts, opening))
  })

  serve(app, contract.readChoice, async ({ params: { ticket }, now }) => {
    const choice = await readChoice(parts, ticket, now)
    if (!choice) throw refuse('NotFound')
    return choice
  })

  serve(app, contract.chooseNone, async ({ params: { ticket }, now, reply, request }) =>
    sendOn(reply, request, isMeant(request) ? await chooseNone(parts, ticket, now) : undefined),
  )

  serve(app, contract.readBadge, ({ params: { name }, reply }) => {
    const provider = parts.providers.find(name.replace(/\.svg$/i, ''))
    if (!provider) throw refuse('NotFound')
    // Clients embed it in their pages.
    reply.headers({ 'cache-control': 'public, max-age=86400', 'cross-origin-resource-policy': 'cross-origin' })
    return monogram(provider.serviceName)
  })
}

/** Whether a person opens the page, and not a prefetch or a link checker. */
const isMeant = ({ method, headers }: Call['request']): boolean =>
  method === 'GET' && !String(headers['sec-purpose'] ?? '').startsWith('prefetch')

/** Redirects the browser, or shows a page when there is nowhere to go. */
function sendOn(reply: Call['reply'], request: Call['request'], address: string | undefined): Call['reply'] {
  if (address !== undefined) return reply.redirect(address, 302)
  const { page, headers } = deadEnd(request.headers['accept-language'])
  return reply.code(400).headers(headers).send(page)
}

// src and dist have the same depth, so that one relative path works in both.
const bundle = fileURLToPath(new URL('../../pages/chooser', import.meta.url))

/** The chooser page; it shows the logos configured for providers, from any https host. */
export function serveChooser(app: ContractApp, { logger }: Pick<Context, 'logger'>): void {
  if (isBundle(bundle)) serveBundle(app, bundle, { below: '/choose', pages: ['/choose/{ticket}'], images: ['https:'] })
  else logger.warn('the chooser page is not built: run npm run build')
}
