// What a wallet and a verifier do with a credential, with libraries that others wrote.
import { createHash } from 'node:crypto'
import { type Caller, callerOf } from '@chancela/testkit/service-world'
import { checkStatus } from '@digitalbazaar/vc-bitstring-status-list'
import { UnsignedAchievementCredentialValidator } from '@learncard/types'
import { compactVerify, decodeProtectedHeader, importJWK, type JWK } from 'jose'
import { expect } from 'vitest'

/** What the addresses of the sample institution lead to: its own proxy takes the path away. */
export const PUBLIC_URL = 'https://diplomas.example.edu.br/verificar'

export const pathOf = (url: string): string => {
  expect(url.startsWith(`${PUBLIC_URL}/`)).toBe(true)
  return url.slice(PUBLIC_URL.length)
}

interface Entry {
  readonly statusPurpose: 'revocation' | 'suspension'
  readonly statusListCredential: string
  readonly statusListIndex: string
}

export interface HeldCredential {
  readonly id: string
  readonly issuer: { readonly id: string; readonly url: string }
  readonly credentialStatus: readonly Entry[]
  readonly relatedResource: readonly { readonly id: string; readonly digestSRI: string }[]
  readonly credentialSubject: { readonly identifier: readonly { readonly salt?: string }[] }
}

/** did:web, "Read": the colons become slashes. */
const addressOf = (did: string): string => {
  const [host, ...path] = did.slice('did:web:'.length).split(':').map(decodeURIComponent)
  return `https://${[host, ...path].join('/')}/did.json`
}

export function verifierAt(baseUrl: string) {
  const { call, json } = callerOf(baseUrl)

  /** The payload of a token that a key of its issuer signed; fetches the issuer's document as a stranger does. */
  async function verified<Payload = HeldCredential>(token: string): Promise<Payload> {
    const { kid = '' } = decodeProtectedHeader(token)
    const { body: document } = await json('GET', pathOf(addressOf(kid.split('#')[0]!)))
    const method = document.verificationMethod.find(({ id }: { id: string }) => id === kid)
    if (!method || !document.assertionMethod.includes(kid)) throw new Error('the key is not one of the issuer')
    const { payload } = await compactVerify(token, await importJWK(method.publicKeyJwk as JWK))
    const content = JSON.parse(Buffer.from(payload).toString())
    expect(content.iss).toBe(document.id)
    return content
  }

  const listOf = async (entry: Entry) => {
    const answer = await call('GET', pathOf(entry.statusListCredential))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vc+jwt'])
    return verified<Record<string, unknown>>(await answer.text())
  }

  /** Which bits are set, to a library that others wrote. */
  async function statusOf(credential: HeldCredential): Promise<Record<string, boolean | undefined>> {
    const found: Record<string, boolean | undefined> = {}
    for (const entry of credential.credentialStatus) {
      const list = await listOf(entry)
      const { verified: isRead, results } = await checkStatus({
        credential: { ...credential, credentialStatus: entry },
        documentLoader: async () => ({ document: list }),
        verifyBitstringStatusListCredential: false,
      })
      expect(isRead).toBe(true)
      found[entry.statusPurpose] = results[0]?.status
    }
    return found
  }

  /** The XML that a credential leads to has the digest that it names. */
  async function expectXml({ relatedResource: [xml] }: HeldCredential): Promise<void> {
    const bytes = await (await call('GET', pathOf(xml!.id))).arrayBuffer()
    const digest = createHash('sha384').update(Buffer.from(bytes)).digest('base64')
    expect(xml!.digestSRI).toBe(`sha384-${digest}`)
  }

  return { call, json, verified, listOf, statusOf, expectXml }
}

export async function credentialOf({ call }: Pick<Caller, 'call'>, path: string): Promise<string> {
  const answer = await call('GET', `${path}/credential`)
  if (answer.status !== 200) throw new Error(`no credential: ${answer.status} ${await answer.text()}`)
  return answer.text()
}

/** Whether a library that others wrote takes it for an achievement of Open Badges 3.0. */
export const expectAchievement = (credential: object): void =>
  expect(UnsignedAchievementCredentialValidator.safeParse(credential).error).toBeUndefined()
