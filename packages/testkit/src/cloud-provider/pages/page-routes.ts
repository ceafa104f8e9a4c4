import type { Ground } from '../ground.ts'
import { type Answer, type Question, type Route, redirect, textOf } from '../http.ts'
import type { Consent, Interaction, Outcome } from './interactions.ts'
import { consentPage, type LoginMessage, languageOf, loginPage, messagePage } from './pages.ts'

const BROWSER_COOKIE = 'interaction'
const LOGIN_COOKIE = 'login'

/** Sends the browser to the provider's pages: the answer of a protocol's authorize operation. */
export function askHolder(ground: Ground, consent: Consent, question: Question): Answer {
  const { id, browserToken } = ground.interactions.begin(consent, cookieOf(question, LOGIN_COOKIE))
  return redirect(`${ground.baseUrl}/holder/${id}`, {
    'set-cookie': cookie(BROWSER_COOKIE, browserToken, `/holder/${id}`),
  })
}

/** A page instead of a redirect, where there is no address the browser may be sent to. */
export const refusalPage = (ground: Ground, question: Question, reason: string): Answer =>
  messagePage(ground, languageOf(question), { status: 400, key: 'bad-request', reason })

/** The pages on which a holder logs in, chooses a certificate and decides. */
export const pageRoutes = (ground: Ground): readonly Route[] => [
  { method: 'GET', path: PAGE, answer: (question) => onPage(ground, question, show) },
  { method: 'POST', path: PAGE, answer: (question) => onPage(ground, question, decide) },
]

const PAGE = /^\/holder\/([\w-]{32})$/

type Step = (ground: Ground, interaction: Interaction, question: Question) => Answer

function onPage(ground: Ground, question: Question, step: Step): Answer {
  const interaction = ground.interactions.find(question.parts[0] ?? '')
  if (!interaction || cookieOf(question, BROWSER_COOKIE) !== interaction.browserToken) {
    return messagePage(ground, languageOf(question), { status: 400, key: 'over' })
  }
  return step(ground, interaction, question)
}

const show: Step = (ground, interaction, question) =>
  interaction.account
    ? consentPage(ground, interaction, languageOf(question))
    : showLogin(ground, interaction, question)

const showLogin = (ground: Ground, interaction: Interaction, question: Question, message?: LoginMessage): Answer =>
  loginPage(ground, interaction, languageOf(question), message)

const decide: Step = (ground, interaction, question) => {
  if (textOf(question.body, 'form') !== interaction.formToken) {
    return messagePage(ground, languageOf(question), { status: 403, key: 'over' })
  }
  if (textOf(question.body, 'decision') === 'deny') return leave(ground, interaction, { kind: 'denied' })
  return interaction.account ? approve(ground, interaction, question) : logIn(ground, interaction, question)
}

const logIn: Step = (ground, interaction, question) => {
  const identifier = textOf(question.body, 'identifier') ?? ''
  const outcome = ground.accounts.login(identifier, textOf(question.body, 'pin') ?? '')
  if (outcome.kind !== 'welcome') return showLogin(ground, interaction, question, { ...outcome, identifier })
  interaction.account = outcome.account
  const login = ground.interactions.rememberLogin(outcome.account)
  return redirect(`${ground.baseUrl}/holder/${interaction.id}`, { 'set-cookie': cookie(LOGIN_COOKIE, login, '/') })
}

const approve: Step = (ground, interaction, question) => {
  const account = interaction.account!
  const { alias } = interaction.consent
  const wanted = alias ?? textOf(question.body, 'certificate') ?? ground.accounts.preferred(account).alias
  const credential = account.credentials.find((one) => one.alias === wanted)
  if (!credential) return show(ground, interaction, question)
  return leave(ground, interaction, { kind: 'approved', account, credential })
}

const leave = (ground: Ground, interaction: Interaction, outcome: Outcome): Answer =>
  redirect(ground.interactions.finish(interaction, outcome))

const cookie = (name: string, value: string, path: string): string =>
  `${name}=${value}; Path=${path}; HttpOnly; SameSite=Lax`

const cookieOf = ({ headers }: Question, name: string): string | undefined =>
  headers.cookie
    ?.split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1)
