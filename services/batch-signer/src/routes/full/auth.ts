import { Refusal } from '@chancela/service-kernel/errors'
import { type Call, isSameOrigin, serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { idpLogin, login, logout, whoAmI } from '../../contract/auth.ts'
import { localPath } from '../../rules/local-path.ts'
import type { OperatorAccess } from '../operator-access.ts'
import { formFields } from './form.ts'
import type { FullApp } from './full-app.ts'

/** A page of the dashboard's bundle. */
const LOGIN_PAGE = '/login'

/** The reason of a refusal for the login page. */
const reasons: Readonly<Record<string, string>> = {
  'auth.invalid-credentials': 'invalid',
  'auth.misconfigured': 'server',
}

/** Registers signing in and out, and renews sessions in use. */
export function serveAuth(
  app: FullApp,
  { settings }: Pick<Context, 'settings'>,
  { access }: { readonly access: OperatorAccess },
): void {
  access.slideOn(app)
  serve(app, login, ({ body, request, reply, log }) => {
    const field = formFields(body)
    const returnUrl = localPath(field('ReturnUrl'))
    try {
      reply.header('set-cookie', access.signIn(field('ApiKey') ?? ''))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      log.warn({ code: error.code }, 'a sign-in was refused')
      if (wantsJson(request)) throw error
      return reply.redirect(loginAgain(error, returnUrl))
    }
    return wantsJson(request) ? reply.code(204).send() : reply.redirect(returnUrl)
  })
  serve(app, logout, async ({ request, reply }) => {
    // Another site must not be able to sign an operator out.
    if (isSameOrigin(request, settings.Http.PublicUrl)) reply.header('set-cookie', await access.signOut(request))
    return wantsJson(request) ? reply.code(204).send() : reply.redirect(LOGIN_PAGE)
  })
  serve(app, idpLogin, ({ reply }) => reply.redirect(LOGIN_PAGE))
  serve(app, whoAmI, ({ caller }) => ({
    operator: caller.name,
    scheme: caller.scheme,
    timeZone: settings.Site.TimeZone,
  }))
}

const wantsJson = ({ headers }: Call['request']): boolean => headers.accept?.includes('application/json') ?? false

function loginAgain({ code }: Refusal, returnUrl: string): string {
  const query = new URLSearchParams({ error: reasons[code] ?? 'server' })
  if (returnUrl !== '/') query.set('ReturnUrl', returnUrl)
  return `${LOGIN_PAGE}?${query}`
}
