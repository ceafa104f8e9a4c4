import type { Step } from '@chancela/admin-console'
import { Refusal } from '@chancela/service-kernel/errors'
import { type Call, clientAddress, isSameOrigin, serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { finishIdpLogin, idpLogin, login, logout, signInWays, whoAmI } from '../../contract/auth.ts'
import { signedInAs } from '../../rules/actor.ts'
import { isOperator } from '../../rules/idp-person.ts'
import { localPath } from '../../rules/local-path.ts'
import { LINK_REQUIRED } from '../approvals/links.ts'
import type { ApproverAccess } from '../approver-access.ts'
import type { IdpAccess } from '../idp-access.ts'
import { OPERATOR, type OperatorAccess } from '../operator-access.ts'
import { formFields } from './form.ts'
import type { FullApp } from './full-app.ts'

/** Pages of the dashboard's bundle. */
const LOGIN_PAGE = '/login'

/** The reason of a refusal for the login page. */
const reasons: Readonly<Record<string, string>> = {
  'auth.invalid-credentials': 'invalid',
  'auth.misconfigured': 'server',
  OIDC_REFUSED: 'invalid',
  OIDC_UNAVAILABLE: 'server',
}

interface Access {
  readonly access: OperatorAccess
  /** Absent where no identity provider is configured. */
  readonly idp?: IdpAccess | undefined
  readonly approvers?: Pick<ApproverAccess, 'signOut'>
}

/** Registers signing in and out, and renews sessions in use. */
export function serveAuth(
  app: FullApp,
  { settings, store, events }: Pick<Context, 'settings' | 'store' | 'events'>,
  { access, idp, approvers }: Access,
): void {
  access.slideOn(app)
  idp?.slideOn(app)
  serve(app, login, async ({ body, request, reply, log }) => {
    const field = formFields(body)
    const returnUrl = localPath(field('ReturnUrl'))
    try {
      reply.header('set-cookie', await access.signIn(request, field('ApiKey') ?? ''))
      await events.record(store.db, signedInAs(OPERATOR, clientAddress(request)))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      log.warn({ code: error.code }, 'a sign-in was refused')
      if (wantsJson(request)) throw error
      return reply.redirect(loginAgain(error.code, returnUrl))
    }
    return wantsJson(request) ? reply.code(204).send() : reply.redirect(returnUrl)
  })
  serve(app, logout, async ({ request, reply }) => {
    const person = await idp?.find(request)
    // Another site must not be able to sign an operator out.
    if (!isSameOrigin(request, settings.Http.PublicUrl)) return signedOut(request, reply, LOGIN_PAGE)
    const approver = await approvers?.signOut(request)
    const cookies = [await access.signOut(request), await idp?.signOut(request), approver]
    reply.header(
      'set-cookie',
      cookies.filter((cookie) => cookie !== undefined),
    )
    const isApproverOnly = approver !== undefined || (person !== undefined && !isOperator(person))
    return signedOut(request, reply, isApproverOnly ? LINK_REQUIRED : LOGIN_PAGE)
  })
  serve(app, idpLogin, async ({ query, request, reply }) => {
    const returnUrl = localPath(query.ReturnUrl)
    return idp ? goOn(reply, await idp.begin(request, returnUrl), returnUrl) : reply.redirect(LOGIN_PAGE)
  })
  serve(app, finishIdpLogin, async ({ request, reply }) =>
    idp ? goOn(reply, await idp.finish(request)) : reply.redirect(LOGIN_PAGE),
  )
  serve(app, signInWays, () => ({ identityProvider: idp !== undefined }))
  serve(app, whoAmI, ({ caller }) => ({
    operator: caller.name,
    scheme: caller.scheme,
    timeZone: settings.Site.TimeZone,
  }))
}

const signedOut = (request: Call['request'], reply: Call['reply'], page: string) =>
  wantsJson(request) ? reply.code(204).send() : reply.redirect(page)

const wantsJson = ({ headers }: Call['request']): boolean => headers.accept?.includes('application/json') ?? false

/** A browser shows a page whatever became of it. */
function goOn(reply: Call['reply'], step: Step, returnUrl = '/'): Call['reply'] {
  if (step.cookies.length > 0) reply.header('set-cookie', [...step.cookies])
  return reply.redirect('to' in step ? step.to : loginAgain(step.problem, returnUrl))
}

function loginAgain(problem: string, returnUrl: string): string {
  const query = new URLSearchParams({ error: reasons[problem] ?? 'server' })
  if (returnUrl !== '/') query.set('ReturnUrl', returnUrl)
  return `${LOGIN_PAGE}?${query}`
}
