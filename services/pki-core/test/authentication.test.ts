import { readAnswer } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { builtInContexts } from '../src/contract/authentication.ts'
import { type CoreWorld, clientAt, databases, sharedCore, testOnce } from './test-support/core-world.ts'
import { certificateOf, clock, running, signedBy } from './test-support/pki.ts'

const MINUTE = 60_000
const BRAZIL = builtInContexts.pkiBrazil
const ANA = 'ana-souza'

type Client = Pick<CoreWorld, 'json'>

const prepare = ({ json }: Client, body: object | undefined = {}) => json('POST', '/api/v2/authentication', body)

/** What a holder sends back: the certificate, and the bytes signed. */
const proofOf = (label: string, data: string) => ({
  certificate: certificateOf(label),
  signature: signedBy(label, data),
})

/** Goes the whole way of the second generation. */
async function authenticate(client: Client, label: string, request: object = {}, headers: object = {}) {
  const { body } = await prepare(client, request)
  const proof = { state: body.state, ...proofOf(label, body.toSign.data) }
  return client.json('POST', '/api/v2/authentication/completion', proof, headers)
}

const errorTypes = (results: { errors: { type: string }[] }) => results.errors.map(({ type }) => type)

for (const database of databases) {
  describe(`authentication with a certificate on ${database}`, () => {
    const open = sharedCore(database)
    const once = testOnce(database)

    once('a preparation gives the nonce in the forms of every client', async () => {
      const { status, body } = await prepare(open())
      expect(status).toBe(200)
      expect(body.state).toMatch(/^[\w-]+$/)
      expect(Buffer.from(body.toSign.data, 'base64')).toHaveLength(16)
      expect(body.toSign.signatureAlgorithm).toEqual({
        algorithm: 'SHA256WithRSA',
        oid: '1.2.840.113549.1.1.11',
        digestAlgorithm: 'SHA256',
        digestAlgorithmOid: '2.16.840.1.101.3.4.2.1',
      })
      expect(body.toSignHash).toEqual({
        algorithm: 'SHA256',
        value: body.toSign.hash,
        hexValue: Buffer.from(body.toSign.hash, 'base64').toString('hex'),
      })
      expect(Buffer.from(body.toSign.digestInfo, 'base64').subarray(-32).toString('base64')).toBe(body.toSign.hash)
    })

    test('a completion names the holder, and each state is good once', async () => {
      const world = open()
      const { body: prepared } = await prepare(world, { securityContextId: BRAZIL.toUpperCase() })
      const proof = { state: prepared.state, ...proofOf(ANA, prepared.toSign.data) }
      const complete = () => world.json('POST', '/api/v2/authentication/completion', proof)
      const answers = await Promise.all([complete(), complete(), complete()])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
      for (const { body } of answers.filter(({ body }) => !body.success))
        expect(body).toEqual({ success: false, failure: 'StaleSession', certificate: null, validationResults: null })
      const { body } = answers.find(({ body }) => body.success)!
      expect(body).toMatchObject({
        failure: null,
        certificate: {
          subjectDisplayName: 'ANA BEATRIZ SOUZA',
          pkiBrazil: { certificateType: 'A1', cpf: '52998224725', cnpj: null, dateOfBirth: expect.any(String) },
          pkiItaly: null,
          binaryThumbprintSHA256: expect.stringMatching(/^[\w+/]{43}=$/),
          issuer: { issuer: { issuer: { issuer: null } } },
        },
        validationResults: { errors: [], warnings: [] },
      })
      expect(body.validationResults.passedChecks.at(-1)).toMatchObject({
        type: 'CertificateIssuerValid',
        innerValidationResults: { errors: [] },
      })
    })

    test.each([
      ['expired', ['CertificateExpired']],
      ['not-yet-valid', ['CertificateNotYetValid']],
      ['revoked', ['CertificateRevoked']],
      ['under-unknown-root', ['CertificateIssuerInvalid']],
    ])('a certificate that is %s is an answer, not an error', async (label, types) => {
      const { status, body } = await authenticate(open(), label)
      expect(status).toBe(200)
      expect(body).toMatchObject({ success: false, failure: 'CertificateFailedValidation', certificate: {} })
      expect(errorTypes(body.validationResults)).toEqual(expect.arrayContaining(types))
    })

    once('the root nobody trusts is named where it stands in the chain', async () => {
      const { body } = await authenticate(open(), 'under-unknown-root')
      const [issuer] = body.validationResults.errors
      expect(errorTypes(issuer.innerValidationResults)).toEqual(['CertificateChainRootNotTrusted'])
    })

    once(
      'a signature of somebody else, and bytes that are no certificate, fail without being asked about',
      async () => {
        const world = open()
        const complete = async (change: (proof: object) => object) => {
          const { body } = await prepare(world)
          const proof = { state: body.state, ...proofOf(ANA, body.toSign.data) }
          return (await world.json('POST', '/api/v2/authentication/completion', change(proof))).body
        }
        const foreign = await complete((proof) => ({ ...proof, certificate: certificateOf('bruno-lima') }))
        expect(foreign).toMatchObject({ success: false, certificate: { pkiBrazil: { cpf: '11144477735' } } })
        expect(errorTypes(foreign.validationResults)).toEqual(['SignatureAlgorithmValidationFailed'])
        const garbage = await complete((proof) => ({
          ...proof,
          certificate: Buffer.alloc(60_000, 7).toString('base64'),
        }))
        expect(garbage).toMatchObject({ success: false, failure: 'CertificateFailedValidation', certificate: null })
        expect(errorTypes(garbage.validationResults)).toEqual(['DecodeError'])
      },
    )

    once('a key of another kind than RSA signs as well', async () => {
      expect((await authenticate(open(), 'without-email')).body).toMatchObject({ success: true })
    })

    test('an unknown revocation status fails, and is a warning where the request says so', async () => {
      const world = open()
      for (const area of ['crl', 'crl-mirror', 'ocsp'] as const) running.faults.set(area, { kind: 'down' })
      try {
        const [strict, lenient] = [
          await authenticate(world, 'davi-moreira'),
          await authenticate(world, 'davi-moreira', { ignoreRevocationStatusUnknown: true }),
        ]
        expect(strict.body.success).toBe(false)
        expect(JSON.stringify(strict.body.validationResults.errors)).toContain('CertificateRevocationStatusUnknown')
        expect(lenient.body).toMatchObject({ success: true, validationResults: { errors: [] } })
        expect(JSON.stringify(lenient.body.validationResults)).toContain('CertificateRevocationStatusUnknown')
      } finally {
        running.faults.clear()
      }
    })

    test('a state is stale once its minutes are over, at another subscription, and where it was changed', async () => {
      const world = open()
      const other = await clientAt(world)
      const { body } = await prepare(world)
      const proof = { state: body.state, ...proofOf(ANA, body.toSign.data) }
      const stale = { status: 200, body: { success: false, failure: 'StaleSession' } }
      const complete = (client: Client, over: object = {}) =>
        client.json('POST', '/api/v2/authentication/completion', { ...proof, ...over })
      expect(await complete(other)).toMatchObject(stale)
      expect(await complete(world, { state: `${body.state.slice(0, -3)}abc` })).toMatchObject(stale)
      expect(await complete(world, { state: '../../etc' })).toMatchObject(stale)
      clock.advance(16 * MINUTE)
      expect(await complete(world)).toMatchObject(stale)
    })

    test('an unknown security context is refused, one of another subscription too', async () => {
      const world = open()
      const other = await clientAt(world)
      const own = await newContext(world, world.client.subscriptionId)
      const refused = { status: 422, body: { code: 'SecurityContextNotFound', detail: expect.any(String) } }
      expect(await prepare(world, { securityContextId: crypto.randomUUID() })).toMatchObject(refused)
      expect(await prepare(other, { securityContextId: own })).toMatchObject(refused)
      expect((await authenticate(world, ANA, { securityContextId: own })).body).toMatchObject({ success: true })
      expect(await prepare(world, { securityContextId: builtInContexts.test })).toMatchObject(refused)
    })

    once('messages of results follow the language, messages of errors do not', async () => {
      const world = open()
      const said = async (language: string) => {
        const { body } = await authenticate(world, 'expired', {}, { 'accept-language': language })
        return body.validationResults.errors.find(({ type }: { type: string }) => type === 'CertificateExpired').message
      }
      expect(await said('en')).toBe('The certificate has expired')
      expect(await said('pt-BR,en;q=0.5')).toBe('O certificado está expirado')
      expect(await said('es-ES')).toBe('El certificado está vencido')
      expect(await said('de')).toBe('The certificate has expired')
      const unknown = { securityContextId: crypto.randomUUID() }
      const refusals = await Promise.all(
        ['en', 'pt', 'es'].map((language) =>
          world.json('POST', '/api/v2/authentication', unknown, { 'accept-language': language }),
        ),
      )
      expect(new Set(refusals.map(({ body }) => body.message)).size).toBe(1)
    })
  })
}

/** A security context of a subscription that trusts the PKI of the tests. */
async function newContext({ store }: CoreWorld, subscriptionId: string): Promise<string> {
  const id = crypto.randomUUID()
  const at = clock().toISOString()
  const row = {
    id,
    subscription_id: subscriptionId,
    name: 'Own',
    roots: running.pki.trustAnchors(),
    intermediates: '',
    revocation: 'Required',
    policies: '[]',
    version: 1,
  } as const
  await store.db
    .insertInto('security_context')
    .values({ ...row, created_at: at, updated_at: at })
    .execute()
  return id
}

describe('the wire', () => {
  const open = sharedCore('SQLite')
  // Not through a URL of its own, which would take two slashes for a host.
  const send = async (path: string, { headers, ...init }: RequestInit = {}) => {
    const { baseUrl, client } = open()
    const all = { 'X-Api-Key': client.apiKey, ...(headers as Record<string, string>) }
    return readAnswer(await fetch(`${baseUrl}${path}`, { method: 'POST', headers: all, ...init }))
  }

  test.each(['/api/v2/authentication', '/API/V2/Authentication/', '//api/v2/authentication'])(
    'every spelling of a path is served: %s',
    async (path) => {
      expect((await send(path)).status).toBe(200)
    },
  )

  test.each(['application/json', 'text/json', 'application/json-patch+json', 'application/vnd.client+json'])(
    'a body as %s is read, and an empty one is none',
    async (type) => {
      const headers = { 'content-type': type }
      expect((await send('/api/v2/authentication', { headers, body: '{"securityContextId":null}' })).status).toBe(200)
      expect((await send('/api/v2/authentication', { headers, body: '' })).status).toBe(200)
    },
  )

  test('an answer is text/json where the caller asks for it, an error too', async () => {
    const typeOf = async (path: string, accept: string) => {
      const answer = await send(path, { headers: { accept, 'content-type': 'application/json' }, body: '{}' })
      return `${answer.status} ${answer.headers.get('content-type')}`
    }
    expect(await typeOf('/api/v2/authentication', 'text/json')).toBe('200 text/json; charset=utf-8')
    expect(await typeOf('/api/v2/authentication', 'application/json, text/json')).toMatch(/^200 application\/json/)
    expect(await typeOf('/api/v2/authentication', '*/*')).toMatch(/^200 application\/json/)
    expect(await typeOf('/api/v2/authentication/completion', 'text/json')).toBe('400 text/json; charset=utf-8')
    expect(await typeOf('/Api/Authentications', 'text/json')).toBe('422 text/json; charset=utf-8')
    expect(await typeOf('/api/nothing', 'text/json')).toBe('404 text/json; charset=utf-8')
  })

  test('fields of other versions are taken and told, and null is absent', async () => {
    const body = { securityContextId: null, ignoreRevocationStatusUnknown: null, signaturePolicy: 'x' }
    const { status, headers } = await open().json('POST', '/api/v2/authentication', body)
    expect(status).toBe(200)
    expect(headers.get('warning')).toBe('299 - "unknown field: signaturePolicy"')
  })

  test('syntax errors are 400 with a message, an unknown route 404', async () => {
    const headers = { 'content-type': 'application/json' }
    for (const body of ['{', '{"state":"x"}', '{"state":1,"certificate":"AAAA","signature":"AAAA"}'])
      expect(await send('/api/v2/authentication/completion', { headers, body })).toMatchObject({
        status: 400,
        body: { message: expect.any(String) },
      })
    expect(await send('/api/v2/nothing')).toMatchObject({ status: 404, body: { message: expect.any(String) } })
  })

  test('a key is accepted whole, by its secret alone, and behind Authorization; without one 401, without a role 403', async () => {
    const world = open()
    const { apiKey } = world.client
    const secret = apiKey.split('|')[1]!
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${world.baseUrl}/Api/Authentication`, { headers })).status
    expect(await status({ 'X-Api-Key': apiKey })).toBe(200)
    expect(await status({ 'X-Api-Key': secret })).toBe(200)
    expect(await status({ Authorization: `Bearer ${apiKey}` })).toBe(200)
    expect(await status({ Authorization: `ApiKey ${secret}` })).toBe(200)
    expect(await status({})).toBe(401)
    expect(await status({ 'X-Api-Key': `${apiKey}0` })).toBe(401)
    const monitor = await clientAt(world, { roles: ['Monitor'] })
    expect(await monitor.json('GET', '/Api/Authentication')).toMatchObject({
      status: 403,
      body: { message: expect.any(String) },
    })
  })

  test('an application of several subscriptions says which one', async () => {
    const world = open()
    const both = await clientAt(world)
    const second = await clientAt(world)
    await world.store.db
      .insertInto('application_role')
      .values({ application_id: both.applicationId, subscription_id: second.subscriptionId, roles: '["Worker"]' })
      .execute()
    clock.advance(6000)
    expect((await prepare(both)).status).toBe(403)
    const headers = { 'X-Subscription': second.subscriptionId.toUpperCase() }
    expect((await both.json('POST', '/api/v2/authentication', {}, headers)).status).toBe(200)
    const foreign = { 'X-Subscription': world.client.subscriptionId }
    expect((await both.json('POST', '/api/v2/authentication', {}, foreign)).status).toBe(403)
  })

  test('the description carries the version of the contract and the names of its models', async () => {
    const { body } = await readAnswer(await fetch(`${open().baseUrl}/openapi/v1.json`))
    expect(body.info.version).toBe('5.0.4')
    for (const model of [
      'PrepareAuthenticationRequest',
      'PrepareAuthenticationResponse',
      'CompleteAuthenticationRequest',
      'CompleteAuthenticationResponse',
      'AuthenticationsPostRequest',
      'AuthenticationsPostResponse',
      'AuthenticationPostRequest',
      'AuthenticationPostResponse',
      'AuthenticationsPostSignedBytesRequest',
      'AuthenticationsPostSignedBytesResponse',
      'AuthenticationGetResponse',
      'ErrorModelV2',
    ])
      expect(Object.keys(body.components.schemas), model).toContain(model)
    const described = Object.entries(body.paths as Record<string, Record<string, { responses: object }>>)
      .filter(([path]) => /authentication/i.test(path) && !path.startsWith('/api/bio/'))
      .flatMap(([, methods]) => Object.values(methods))
    expect(described).toHaveLength(7)
    for (const { responses } of described)
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '422']))
    const info = await readAnswer(await fetch(`${open().baseUrl}/Api/System/Info`))
    expect(info.body).toMatchObject({ productVersion: '5.0.4', timestamp: expect.any(String) })
  })
})
