import { type Answer, type Question, type Route, redirect, textOf } from '../http.ts'
import type { Context } from '../provider-context.ts'
import type { Consent, Interaction, Outcome } from './interactions.ts'
import { consentPage, type LoginMessage, languageOf, loginPage, messagePage } from './pages.ts'

const BROWSER_COOKIE = 'interaction'
const LOGIN_COOKIE = 'login'

/** Redirects the browser to the provider's pages: the response of a protocol's authorize operation. */
export function askHolder(context: Context, consent: Consent, question: Question): Answer {
  const { id, browserToken } = context.interactions.begin(consent, cookieOf(question, LOGIN_COOKIE))
  return redirect(`${context.baseUrl}/holder/${id}`, {
    'set-cookie': cookie(BROWSER_COOKIE, browserToken, `/holder/${id}`),
  })
}

/** A page instead of a redirect, where no redirect is allowed. */
export const refusalPage = (context: Context, question: Question, reason: string): Answer =>
  messagePage(context, languageOf(question), { status: 400, key: 'bad-request', reason })

/** The pages on which a holder logs in, chooses a certificate and decides. */
export const pageRoutes = (context: Context): readonly Route[] => [
  { method: 'GET', path: PAGE, answer: (question) => onPage(context, question, show) },
  { method: 'POST', path: PAGE, answer: (question) => onPage(context, question, decide) },
]

const PAGE = /^\/holder\/([\w-]{32})$/

type Step = (context: Context, interaction: Interaction, question: Question) => Answer

function onPage(context: Context, question: Question, step: Step): Answer {
  const interaction = context.interactions.find(question.parts[0] ?? '')
  if (!interaction || cookieOf(question, BROWSER_COOKIE) !== interaction.browserToken) {
    return messagePage(context, languageOf(question), { status: 400, key: 'over' })
  }
  return step(context, interaction, question)
}

const show: Step = (context, interaction, question) =>
  interaction.account
    ? consentPage(context, interaction, languageOf(question))
    : showLogin(context, interaction, question)

const showLogin = (context: Context, interaction: Interaction, question: Question, message?: LoginMessage): Answer =>
  loginPage(context, interaction, languageOf(question), message)

const decide: Step = (context, interaction, question) => {
  if (textOf(question.body, 'form') !== interaction.formToken) {
    return messagePage(context, languageOf(question), { status: 403, key: 'over' })
  }
  if (textOf(question.body, 'decision') === 'deny') return leave(context, interaction, { kind: 'denied' })
  return interaction.account ? approve(context, interaction, question) : logIn(context, interaction, question)
}

const logIn: Step = (context, interaction, question) => {
  const identifier = textOf(question.body, 'identifier') ?? ''
  const outcome = context.accounts.login(identifier, textOf(question.body, 'pin') ?? '')
  if (outcome.kind !== 'welcome') return showLogin(context, interaction, question, { ...outcome, identifier })
  interaction.account = outcome.account
  const login = context.interactions.rememberLogin(outcome.account)
  return redirect(`${context.baseUrl}/holder/${interaction.id}`, { 'set-cookie': cookie(LOGIN_COOKIE, login, '/') })
}

const approve: Step = (context, interaction, question) => {
  const account = interaction.account!
  const { alias } = interaction.consent
  const wanted = alias ?? textOf(question.body, 'certificate') ?? context.accounts.preferred(account).alias
  const credential = account.credentials.find((one) => one.alias === wanted)
  if (!credential) return show(context, interaction, question)
  return leave(context, interaction, { kind: 'approved', account, credential })
}

const leave = (context: Context, interaction: Interaction, outcome: Outcome): Answer =>
  redirect(context.interactions.finish(interaction, outcome))

const cookie = (name: string, value: string, path: string): string =>
  `${name}=${value}; Path=${path}; HttpOnly; SameSite=Lax`

const cookieOf = ({ headers }: Question, name: string): string | undefined =>
  headers.cookie
    ?.split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1)
