// The phones of all holders in one page: their pending requests, decided with the PIN.
import { escapeHtml } from '@chancela/service-kernel/http'
import type { Account } from '../accounts.ts'
import { type Answer, type Question, type Route, redirect, textOf } from '../http.ts'
import type { Context } from '../provider-context.ts'
import { clientName, languageOf, page, permissions, problemText } from './pages.ts'
import type { PushRequest } from './pushes.ts'
import { type PageLanguage, pageTexts } from './texts.ts'

const PATH = /^\/push$/

export const pushRoutes = (context: Context): readonly Route[] => [
  { method: 'GET', path: PATH, answer: (question) => pushPage(context, languageOf(question)) },
  { method: 'POST', path: PATH, answer: (question) => decide(context, question) },
]

/** The PIN is required every time, so that no form of another site decides anything. */
function decide(context: Context, question: Question): Answer {
  const language = languageOf(question)
  const identifier = textOf(question.body, 'identifier') ?? ''
  const outcome = context.accounts.login(identifier, textOf(question.body, 'pin') ?? '')
  if (outcome.kind !== 'welcome') return pushPage(context, language, problemText({ ...outcome, identifier }, language))
  const decision = textOf(question.body, 'decision') === 'deny' ? 'deny' : 'approve'
  return decideOnPhone(context, outcome.account, decision)
    ? redirect(`${context.baseUrl}/push`)
    : pushPage(context, language, pageTexts.translator(language)('push.nothing-for-you'))
}

/** The holder's decision on the newest push request; returns whether there is one. */
export const decideOnPhone = (
  { accounts, pushes }: Pick<Context, 'accounts' | 'pushes'>,
  account: Account,
  decision: 'approve' | 'deny',
): boolean =>
  pushes.decide(
    account,
    decision === 'deny' ? { kind: 'denied' } : { kind: 'approved', account, credential: accounts.preferred(account) },
  )

function pushPage(context: Context, language: PageLanguage, problem?: string): Answer {
  const say = pageTexts.translator(language)
  const waiting = context.pushes.waiting()
  const content = waiting.length === 0 ? `<p>${say('push.none')}</p>` : requests(waiting, language)
  return page(context, language, problem === undefined ? 200 : 422, {
    step: 'push',
    title: say('push.title'),
    content: `${problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}${content}`,
  })
}

function requests(waiting: readonly PushRequest[], language: PageLanguage): string {
  const say = pageTexts.translator(language)
  const list = waiting.map(({ account, consent }) => {
    const asks = say('push.asks', { client: clientName(consent), name: `${account.name} (${account.identifier})` })
    const items = permissions(consent, language).map((html) => `<li>${html}</li>`)
    return `<p>${escapeHtml(asks)}</p><ul class="permits">${items.join('')}</ul>`
  })
  return `${list.join('')}
    <form method="post">
      <label for="identifier">${say('login.identifier')}</label>
      <input type="text" id="identifier" name="identifier" value="${waiting[0]!.account.identifier}" required autocomplete="username">
      <label for="pin">${say('login.pin')}</label>
      <input type="password" id="pin" name="pin" required inputmode="numeric" autocomplete="off" autofocus>
      <div class="actions">
        <button type="submit" name="decision" value="approve">${say('consent.approve')}</button>
        <button type="submit" class="quiet" name="decision" value="deny">${say('consent.deny')}</button>
      </div>
    </form>`
}
