import { type Call, readCookie, serve, setCookie } from '@chancela/service-kernel/http'
import { cultures, getCulture, setCulture } from '../../contract/auth.ts'
import { localPath } from '../../rules/local-path.ts'
import { refuse } from '../../rules/refuse.ts'
import { formFields } from './form.ts'
import type { FullApp } from './full-app.ts'

const COOKIE = 'chancela-culture'
const ONE_YEAR_SECONDS = 365 * 24 * 3_600

/** Registers the choice of the display language. */
export function serveCulture(app: FullApp): void {
  serve(app, setCulture, ({ query, body, reply }) => {
    const field = formFields(body)
    const culture = cultureOf(query.culture ?? field('culture'))
    if (!culture) throw refuse('culture.not-supported', { supported: cultures })
    reply.header('set-cookie', setCookie(COOKIE, culture, { sameSite: 'Lax', maxAgeSeconds: ONE_YEAR_SECONDS }))
    return reply.redirect(localPath(query.redirectUri ?? field('redirectUri')))
  })
  serve(app, getCulture, (call) => ({ culture: displayLanguage(call), supported: cultures }))
}

/** The caller's language: as set, else as the browser requests, else en-US. */
export const displayLanguage = ({ request, locale }: Pick<Call, 'request' | 'locale'>): (typeof cultures)[number] =>
  cultureOf(readCookie(request.headers.cookie, COOKIE)) ?? cultureOf(locale) ?? 'en-US'

const cultureOf = (text: string | undefined): (typeof cultures)[number] | undefined =>
  cultures.find((culture) => culture.toLowerCase() === text?.toLowerCase())
