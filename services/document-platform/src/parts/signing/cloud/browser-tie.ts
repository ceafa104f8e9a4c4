// Ties a cloud signature to the browser that started it: a victim who is lured to the hub by somebody else returns
// without the cookie, and nothing is signed.
import { SECOND } from '@chancela/service-kernel/clock'
import { isHttps, readCookie, setCookie } from '@chancela/service-kernel/http'
import { SecretProblem } from '@chancela/service-kernel/secrets'
import type { Context } from '../../../context.ts'

/** Content of the sealed cookie. */
export interface BrowserTie {
  /** The customState of the session at the hub. */
  readonly nonce: string
  readonly key: string
  readonly ticket: string
}

/** Each signature has its own cookie: a person may have started several. */
const nameOf = (id: string): string => `chancela-cloud-${id}`

const contextOf = (id: string): string => `cloud signing ${id}`

const UUID = /^[\da-f-]{36}$/

type TieContext = Pick<Context, 'secrets' | 'publicUrl'>

/** The Set-Cookie header. Lax, because the hub sends the browser back from another site. */
export const tieBrowser = ({ secrets, publicUrl }: TieContext, id: string, tie: BrowserTie, life: number): string =>
  setCookie(nameOf(id), secrets.seal(JSON.stringify(tie), contextOf(id)), {
    sameSite: 'Lax',
    secure: isHttps(publicUrl),
    maxAgeSeconds: life / SECOND,
  })

/** The sealed content of this browser's cookie; undefined for another browser. */
export function tieOf(
  { secrets }: TieContext,
  id: string | undefined,
  cookies: string | undefined,
): BrowserTie | undefined {
  const sealed = id !== undefined && UUID.test(id) ? readCookie(cookies, nameOf(id)) : undefined
  if (id === undefined || sealed === undefined) return undefined
  try {
    return JSON.parse(secrets.openText(sealed, contextOf(id))) as BrowserTie
  } catch (error) {
    if (error instanceof SecretProblem) return undefined
    throw error
  }
}
