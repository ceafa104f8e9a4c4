// Ties a cloud signature to the browser that started it: a victim who is lured to the hub by somebody else returns
// without the cookie, and nothing is signed.
import { createHash } from 'node:crypto'
import { SECOND } from '@chancela/service-kernel/clock'
import { readCookie, setCookie } from '@chancela/service-kernel/http'
import { SecretProblem } from '@chancela/service-kernel/secrets'
import type { ServiceContext } from '@chancela/service-kernel/service'

/** What every sealed cookie has: the customState of the session at the hub. */
export interface CloudTie {
  readonly nonce: string
}

/** Each signature has its own cookie: a person may have started several. */
const nameOf = (id: string): string => `chancela-cloud-${id}`

const contextOf = (id: string): string => `cloud signing ${id}`

const UUID = /^[\da-f-]{36}$/

type TieContext = Pick<ServiceContext, 'secrets'>

/** The Set-Cookie header. Lax, because the hub sends the browser back from another site. */
export const tieBrowser = ({ secrets }: TieContext, id: string, tie: CloudTie, life: number): string =>
  setCookie(nameOf(id), secrets.seal(JSON.stringify(tie), contextOf(id)), {
    sameSite: 'Lax',
    maxAgeSeconds: life / SECOND,
  })

/** The sealed content of this browser's cookie; undefined for another browser. */
export function tieOf<Tie extends CloudTie>(
  { secrets }: TieContext,
  id: string | undefined,
  cookies: string | undefined,
): Tie | undefined {
  const sealed = id !== undefined && UUID.test(id) ? readCookie(cookies, nameOf(id)) : undefined
  if (id === undefined || sealed === undefined) return undefined
  try {
    return JSON.parse(secrets.openText(sealed, contextOf(id))) as Tie
  } catch (error) {
    if (error instanceof SecretProblem) return undefined
    throw error
  }
}

/** What a row keeps of the nonce. */
export const nonceHashOf = (nonce: string): string => createHash('sha256').update(nonce).digest('hex')
