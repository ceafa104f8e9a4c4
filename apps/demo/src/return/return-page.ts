// The redirect URI of the demo's key at the cloud hub: it shows a user what an application would get.
import { type App, escapeHtml, route, serve } from '@chancela/service-kernel/http'
import type { Language } from '@chancela/service-kernel/i18n'
import { Type } from 'typebox'
import { sessionLines } from '../home/curl-lines.ts'
import type { SuiteBoard } from '../home/suite-board.ts'
import { htmlPage } from '../html-page.ts'
import type { demoErrors } from '../problems.ts'
import { returnTexts } from './texts.ts'

const showReturn = route({
  method: 'GET',
  path: '/return',
  summary: 'What came back from the hub.',
  access: 'anonymous',
  hidden: true,
  page: true,
  produces: 'text/html; charset=utf-8',
  query: Type.Object({ session: Type.Optional(Type.String()), error: Type.Optional(Type.String()) }),
})

/** Shows the session a holder came back with, and the commands to continue with it. */
export function serveReturn(app: App<keyof typeof demoErrors>, board: SuiteBoard): void {
  serve(app, showReturn, ({ query, locale }) => returnPage(query, board.known('cloud-hub'), locale as Language))
}

type Hub = ReturnType<SuiteBoard['known']>

// Only these characters are inserted into a shell command; the hub's sessions consist of them.
const SESSION = /^[\w-]{1,200}$/

function returnPage(
  { session = '', error }: { readonly session?: string; readonly error?: string },
  hub: Hub,
  language: Language,
): string {
  const say = returnTexts.translator(language)
  const isSession = SESSION.test(session)
  const lead = !isSession ? say('none') : error === undefined ? say('granted') : say('refused', { error })
  return htmlPage({
    language,
    title: say('title'),
    content: `<nav><a href="/">${escapeHtml(say('home'))}</a></nav>
<h1>${escapeHtml(say('title'))}</h1>
<p>${escapeHtml(lead)}</p>
${isSession ? `<pre>${session}</pre>\n${hub ? nextLines(session, hub, say('next')) : ''}` : ''}`,
  })
}

function nextLines(session: string, { baseUrl, apiKey = '' }: NonNullable<Hub>, lead: string): string {
  const lines = sessionLines(baseUrl, `-H 'X-Api-Key: ${apiKey}' `).map(({ command }) => command)
  return `<p>${escapeHtml(lead)}</p>\n<pre>${escapeHtml([`SESSION=${session}`, ...lines].join('\n'))}</pre>`
}
