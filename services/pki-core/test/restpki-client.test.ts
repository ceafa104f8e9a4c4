// The published client of the earlier generation, unmodified.
import { Authentication, RestPkiClient, StandardSecurityContexts } from 'restpki-client'
import { expect, test } from 'vitest'
import { sharedCore } from './test-support/core-world.ts'
import { certificateOf, signedBy, signedHash } from './test-support/pki.ts'

const open = sharedCore('SQLite')

const ANA = 'ana-souza'

/** Its declarations were generated from JavaScript, and take the key for null. */
function authenticationOf(): Authentication {
  const { baseUrl, client } = open()
  return new Authentication(new RestPkiClient(`${baseUrl}/`, client.apiKey as unknown as null))
}

test('it authenticates a person with a certificate, and shows why another fails', async () => {
  const authentication = authenticationOf()
  const authenticate = async (label: string) => {
    const { token, toSignData } = await authentication.start(StandardSecurityContexts.PKI_BRAZIL)
    const proof = { certificate: certificateOf(label), signature: signedBy(label, toSignData) }
    return authentication.complete(token, proof as Parameters<Authentication['complete']>[1])
  }
  const good = await authenticate(ANA)
  expect(good.validationResults!.isValid()).toBe(true)
  expect(good.certificate!.pkiBrazil!.cpf).toBe('52998224725')
  const bad = await authenticate('revoked')
  expect(bad.validationResults!.isValid()).toBe(false)
})

test('with the component in the browser it finalizes what arrived there', async () => {
  const { baseUrl } = open()
  const authentication = authenticationOf()
  const token = await authentication.startWithWebPki(StandardSecurityContexts.PKI_BRAZIL)
  const send = (path: string, body: object) =>
    fetch(`${baseUrl}/Api/PendingSignatures/${token}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await expect(authentication.completeWithWebPki(token)).rejects.toMatchObject({ errorCode: 'ClientSignatureNotSet' })
  const { toSignHash } = (await (await send('/Certificate', { certificate: certificateOf(ANA) })).json()) as {
    toSignHash: string
  }
  expect((await send('', { signature: signedHash(ANA, toSignHash) })).status).toBe(200)
  const result = await authentication.completeWithWebPki(token)
  expect(result.validationResults!.isValid()).toBe(true)
  expect(result.certificate!.emailAddress).toBe('ana.souza@example.com')
})
