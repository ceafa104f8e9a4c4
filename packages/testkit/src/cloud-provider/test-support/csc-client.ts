// Every step of the CSC API as a client application.
import { createHash, randomBytes } from 'node:crypto'
import type { CscVersionName } from '../csc/versions.ts'
import type { Walk } from '../walk.ts'
import { callback, client, credentials, provider } from './psc-client.ts'

export const SHA256 = '2.16.840.1.101.3.4.2.1'
export const RSA_SHA256 = '1.2.840.113549.1.1.11'

/** Calls a method. */
export async function csc(version: CscVersionName, method: string, body: object, bearer?: string) {
  const response = await fetch(`${provider.csc.baseUrl(version)}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) },
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  return { status: response.status, body: (await response.json()) as any }
}

/** An address of oauth2/authorize, with the verifier of its challenge. */
export function cscAuthUrl(version: CscVersionName, asked: Record<string, string | undefined>) {
  const verifier = randomBytes(48).toString('base64url')
  const query = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: callback,
    state: 'the state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...asked,
  }
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return { url: `${provider.csc.baseUrl(version)}/oauth2/authorize?${new URLSearchParams(given)}`, verifier }
}

/** The query parameters the holder is redirected with. */
export const walked = async (url: string, walk: Partial<Walk> = {}): Promise<URLSearchParams> =>
  new URL(await provider.walk(url, { holder: 'ana-souza', ...walk })).searchParams

/** Exchanges a code. */
export async function cscToken(
  version: CscVersionName,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${provider.csc.baseUrl(version)}/oauth2/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ grant_type: 'authorization_code', redirect_uri: callback, ...fields }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  return { status: response.status, body: (await response.json()) as any }
}

/** A token for the request; the holder consents. */
export async function granted(version: CscVersionName, asked: Record<string, string>, walk: Partial<Walk> = {}) {
  const { url, verifier } = cscAuthUrl(version, asked)
  const code = (await walked(url, walk)).get('code')!
  const { body } = await cscToken(version, { ...credentials, code, code_verifier: verifier })
  return body.access_token as string
}

/** A token of scope `credential`. */
export const activation = (version: CscVersionName, numSignatures = 1, more: Record<string, string> = {}) =>
  granted(version, { scope: 'credential', credentialID: 'ana-souza', numSignatures: String(numSignatures), ...more })
