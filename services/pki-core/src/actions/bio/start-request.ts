// Which requests for a session are good (pki-core facts 2.10).
import { readUrl } from '@chancela/service-kernel/addresses'
import { invalidField } from '@chancela/service-kernel/errors'
import { geolocationTypes, platformPreferences, type StartRequest } from '../../contract/bio.ts'
import { refuse } from '../../rules/refuse.ts'

/** Where the person comes back to. */
export type Destination =
  | { readonly trustedOrigin: string; readonly returnUrl: null }
  | { readonly trustedOrigin: null; readonly returnUrl: string }

export function destinationOf({ trustedOrigin, returnUrl }: StartRequest, accepted: readonly string[]): Destination {
  if (trustedOrigin && returnUrl) throw invalidField('returnUrl', 'must not be given together with trustedOrigin')
  if (trustedOrigin) return { trustedOrigin: originOf(trustedOrigin), returnUrl: null }
  if (!returnUrl) throw invalidField('returnUrl', 'or trustedOrigin must be given')
  return { trustedOrigin: null, returnUrl: acceptedReturn(returnUrl, accepted) }
}

/** An origin goes into a content policy and into postMessage: nothing but scheme, host and port may be there. */
function originOf(text: string): string {
  const url = webAddress('trustedOrigin', text)
  if (url.pathname !== '/' || url.search || url.hash)
    throw invalidField('trustedOrigin', 'must be an origin, without a path')
  return url.origin
}

function acceptedReturn(text: string, accepted: readonly string[]): string {
  const { href } = webAddress('returnUrl', text)
  if (accepted.length > 0 && !accepted.some((start) => isUnder(href, start))) throw refuse('BioReturnUrlNotAccepted')
  return href
}

/** The same origin, and the same path or one below it. */
function isUnder(href: string, start: string): boolean {
  const [url, allowed] = [new URL(href), new URL(start)]
  const folder = allowed.pathname.endsWith('/') ? allowed.pathname : `${allowed.pathname}/`
  return url.origin === allowed.origin && (url.pathname === allowed.pathname || url.pathname.startsWith(folder))
}

function webAddress(field: string, text: string): URL {
  const url = readUrl(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw invalidField(field, 'must be an absolute http or https address')
  if (url.username || url.password) throw invalidField(field, 'must not contain a user name')
  return url
}

type Named = string | number | null | undefined

const isFirst = (names: readonly string[], value: Named): boolean =>
  value === undefined || value === null || value === 0 || value === names[0]

/** What is not built is refused by its name: a session that silently lacks it would be taken for one that has it. */
const unavailable: Readonly<Record<string, (request: StartRequest) => boolean>> = {
  platformPreference: (request) => !isFirst(platformPreferences, request.platformPreference),
  captureIdentificationDocument: (request) => request.captureIdentificationDocument === true,
  geolocationCaptureType: (request) => !isFirst(geolocationTypes, request.geolocationCaptureType),
  verifyFaceIdentityExternally: (request) => request.verifyFaceIdentityExternally === true,
}

export function requireAvailable(request: StartRequest): void {
  for (const [option, isAsked] of Object.entries(unavailable))
    if (isAsked(request)) throw refuse('BioOptionNotAvailable', { option })
}
