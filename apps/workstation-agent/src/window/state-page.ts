// The window's first page: whether this computer can sign, and why not.
import { DAY } from '@chancela/service-kernel/clock'
import { escapeHtml } from '@chancela/service-kernel/http'
import { formatDate } from '@chancela/service-kernel/i18n'
import { type Certificate, holderOf } from '@chancela/signature-engine/x509'
import type { Enrolment } from '../home.ts'
import type { LinkState, LinkStatus } from '../link-status.ts'
import { factList, page } from '../prompt/page-frame.ts'
import type { PromptLanguage } from '../prompt/texts.ts'
import type { KeySources } from '../sources/key-sources.ts'
import type { Source } from '../sources/source.ts'
import type { SeenReader } from '../tokens/find-tokens.ts'
import { version } from '../version.ts'
import { withoutCpfs } from './journal.ts'
import type { UpdateOffer } from './update-page.ts'
import { TOKEN_FIELD } from './window-server.ts'
import { type SayWindow, windowTexts } from './window-texts.ts'

/** What the page tells. */
export interface WindowState {
  readonly now: Date
  readonly enrolment: Pick<Enrolment, 'server' | 'name'>
  readonly status: Pick<LinkStatus, 'state' | 'problem'>
  readonly sources: Pick<KeySources, 'all' | 'missing' | 'problems'>
  /** Readers whose cards no installed software knows. */
  readonly lacking: readonly SeenReader[]
  /** A newer version, and whether it can be installed here. */
  readonly update: UpdateOffer | undefined
  /** For the forms of the page. */
  readonly token: string
  /** The last lines of the journal. */
  readonly journal: readonly string[]
}

interface Language {
  readonly language: PromptLanguage
  readonly say: SayWindow
}

export function statePage(state: WindowState, language: PromptLanguage): string {
  const told: Language = { language, say: windowTexts.translator(language) }
  const { say } = told
  const body = `
<h1>${escapeHtml(say('title'))}</h1>
${updateNotice(state, say)}
${section(say('connection'), connection(state, told))}
${section(say('certificates'), certificates(state, told))}
${state.lacking.length === 0 ? '' : section(say('software'), list(state.lacking.map((reader) => toInstall(reader, say))))}
<nav class="buttons"><a href="/test">${escapeHtml(say('test-link'))}</a> <a href="/">${escapeHtml(say('refresh'))}</a></nav>
${section(say('journal'), journal(state, say))}
<small>${escapeHtml(say('version', { version }))}</small>`
  return page(say('title'), body, language)
}

function updateNotice({ update, token }: WindowState, say: SayWindow): string {
  if (!update) return ''
  const told = `<p>${escapeHtml(say('update-there', { offered: update.version, running: version }))}</p>`
  const action = update.hindrance
    ? `<p>${escapeHtml(say(`update-${update.hindrance}`))}</p>`
    : `<form method="post" action="/update"><input type="hidden" name="${TOKEN_FIELD}" value="${token}"><button>${escapeHtml(say('update'))}</button></form>`
  return section(say('update-title'), told + action)
}

const section = (title: string, content: string): string => `<section><h2>${escapeHtml(title)}</h2>${content}</section>`

/** Of texts that are HTML already. */
const list = (items: readonly string[]): string => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`

function connection({ enrolment, status }: WindowState, told: Language): string {
  const { say } = told
  const { problem } = status
  return factList([
    [say('server'), new URL(enrolment.server).host],
    [say('workstation'), enrolment.name],
    [say('state'), stateSentence(status.state, told)],
    ...(problem ? [[say('problem'), `${at(problem.at, told)} · ${problem.sentence}`] as const] : []),
  ])
}

function stateSentence(state: LinkState, told: Language): string {
  const { say } = told
  if (state.kind === 'connected') return say('connected', { at: at(state.since, told) })
  return state.kind === 'waiting' ? say('waiting', { at: at(state.until, told) }) : say('connecting')
}

function certificates({ sources, now }: WindowState, told: Language): string {
  const rows = sources.all.flatMap((source) =>
    source.certificates.map(({ certificate }) => certificateRow(source, certificate, now, told)),
  )
  const { missing } = sources
  return [
    rows.length === 0 ? '' : list(rows),
    missing ? alert(told.say(`missing-${missing}`)) : '',
    ...sources.problems.map((sentence) => `<p role="alert" lang="en">${escapeHtml(withoutCpfs(sentence))}</p>`),
  ].join('')
}

/** Name, masked CPF, place, end; a warning where it needs one. */
function certificateRow(source: Source, certificate: Certificate, now: Date, told: Language): string {
  const { name, cpf, responsible } = holderOf(certificate)
  const number = cpf ?? responsible?.cpf
  const { say, language } = told
  const date = formatDate(certificate.notAfter, language, timeZone(), 'date')
  const parts = [
    ...(number ? [`CPF ${withoutCpfs(number)}`] : []),
    withoutCpfs(source.name),
    say('valid-until', { date }),
    ...(source.hasPin ? [say('pin-in-use')] : []),
  ]
  const warning = expiryWarning(certificate, now, say)
  return `<strong>${escapeHtml(withoutCpfs(name))}</strong><br>${escapeHtml(parts.join(' · '))}${warning === undefined ? '' : alert(warning)}`
}

/** A new certificate takes a while to get. */
const WARNED_DAYS = 30

function expiryWarning({ notBefore, notAfter }: Certificate, now: Date, say: SayWindow): string | undefined {
  if (notAfter < now) return say('expired')
  if (notBefore > now) return say('not-yet')
  const count = Math.ceil((notAfter.getTime() - now.getTime()) / DAY)
  return count <= WARNED_DAYS ? say('expires', { count }) : undefined
}

function toInstall({ name: reader, card, middleware }: SeenReader, say: SayWindow): string {
  const { software, vendor } = middleware[0]!
  return escapeHtml(say('install', { card: card!.name, reader, software, vendor }))
}

/** The agent's sentences are English. */
function journal({ journal: lines }: WindowState, say: SayWindow): string {
  if (lines.length === 0) return `<p>${escapeHtml(say('nothing'))}</p>`
  return `<pre lang="en">${escapeHtml(withoutCpfs(lines.join('\n')))}</pre>`
}

const alert = (sentence: string): string => `<p role="alert">${escapeHtml(sentence)}</p>`

const at = (moment: Date, { language }: Language): string => formatDate(moment, language, timeZone())

const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
