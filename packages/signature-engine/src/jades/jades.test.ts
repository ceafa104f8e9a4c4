import { createHash, createHmac, createSign } from 'node:crypto'
import { CompactSign, compactVerify, FlattenedSign, flattenedVerify, GeneralSign, generalVerify } from 'jose'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { type DemoSigners, holderWith } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { openState, sealState } from '../signing/signing-state.ts'
import {
  addJadesSignature,
  completeJades,
  extendJades,
  type JadesOptions,
  prepareJades,
  prepareJadesSignature,
  signJades,
  type ValidateJadesOptions,
  validateJades,
} from './index.ts'

let demo: DemoSigners
let now: Date
beforeAll(async () => {
  demo = await demoSignersOfToday()
  now = new Date()
})

const content = Buffer.from('{"ata":"da assembleia, às 9h."}')
const plain = Buffer.from('plain text without full stops')
const helpers = () => ({ timestamps: demo.timestamps, judge: demo.judge, now })
const validated = (jws: Uint8Array | string, more: Partial<ValidateJadesOptions> = {}) =>
  validateJades(Buffer.from(jws), { judge: demo.judge, now: new Date(), ...more })
const codeOf = (code: string) => expect.objectContaining({ code })
const json = (jws: Uint8Array) => JSON.parse(jws.toString()) as Record<string, string>
const base64url = (value: string | Uint8Array) => Buffer.from(value).toString('base64url')
const keys = ['RSA-2048', 'P-256', 'P-384', 'Ed25519'] as const
const crit = { sigD: true }
/** TypeScript: what jose reads is the JSON we wrote. */
const asJws = (jws: Uint8Array) => JSON.parse(jws.toString())

describe.each(keys)('a signature with a key of kind %s', (kind) => {
  it('is valid for jose and for us, in every serialization, attached and detached', async () => {
    const signer = await demo.signer(kind)
    const key = signer.certificate.publicKey
    const compact = await signJades(content, signer, { now })
    expect(Buffer.from((await compactVerify(compact, key)).payload).equals(content)).toBe(true)
    const flattened = await signJades(content, signer, { now, serialization: 'flattened' })
    expect(Buffer.from((await flattenedVerify(asJws(flattened), key)).payload).equals(content)).toBe(true)
    const general = await signJades(content, signer, { now, serialization: 'general' })
    expect(Buffer.from((await generalVerify(asJws(general), key)).payload).equals(content)).toBe(true)
    const unencoded = await signJades(content, signer, { now, serialization: 'flattened', encoded: false })
    expect(json(unencoded).payload).toBe(content.toString())
    await flattenedVerify(asJws(unencoded), key)
    const inCompact = await signJades(plain, signer, { now, encoded: false })
    await compactVerify(inCompact, key)
    for (const jws of [compact, flattened, general, unencoded, inCompact])
      expect(await validated(jws)).toMatchObject({
        format: 'JAdES',
        indication: 'valid',
        findings: [],
        signatures: [{ level: 'B-B', findings: [], integrity: { content: { state: 'passed' } } }],
      })
    for (const encoded of [true, false]) {
      const detached = await signJades(content, signer, {
        now,
        packaging: 'detached',
        uri: 'ata.json',
        encoded,
        serialization: 'flattened',
      })
      await flattenedVerify({ ...asJws(detached), payload: '' }, key, { crit })
      expect(await validated(detached, { contents: { 'ata.json': content } })).toMatchObject({ indication: 'valid' })
    }
  })

  it('that jose made is valid', async () => {
    const { signer, privateKey } = await pairOf(kind)
    const alg = { 'RSA-2048': 'RS256', 'P-256': 'ES256', 'P-384': 'ES384', Ed25519: 'EdDSA' }[kind]
    const x5c = [signer.certificate, ...signer.chain].map(({ der }) => der.toString('base64'))
    const header = { alg, x5c, iat: Math.floor(now.getTime() / 1_000) }
    const made = [
      await new CompactSign(content).setProtectedHeader(header).sign(privateKey),
      JSON.stringify(await new FlattenedSign(content).setProtectedHeader(header).sign(privateKey)),
      JSON.stringify(await new GeneralSign(content).addSignature(privateKey).setProtectedHeader(header).sign()),
    ]
    for (const jws of made)
      expect(await validated(jws)).toMatchObject({ indication: 'valid', signatures: [{ level: 'B-B' }] })
    const detached = await new FlattenedSign(content).setProtectedHeader(header).sign(privateKey)
    const { payload: _, ...without } = detached
    expect(await validated(JSON.stringify(without), { content })).toMatchObject({ indication: 'valid' })
    expect(await validated(JSON.stringify(without))).toMatchObject({
      indication: 'indeterminate',
      signatures: [{ integrity: { content: { state: 'not-checked' }, signature: { state: 'not-checked' } } }],
    })
  })

  it('is made by a key elsewhere', async () => {
    const signer = await demo.signer(kind)
    const secret = Buffer.alloc(32, 1)
    const { toSign, digest, algorithm, state } = prepareJades(content, signer.certificate, { now, chain: signer.chain })
    const signature = await signer.sign({ toSign, digest, algorithm })
    const jws = completeJades(openState(sealState(state, secret), secret), signature)
    expect((await validated(jws)).indication).toBe('valid')
    expect(() => completeJades(state, Buffer.alloc(64))).toThrow(codeOf('signing.wrong-signature'))
  })

  it.each(['B-T', 'B-LT', 'B-LTA'] as const)('reaches %s and stays what it was for jose', async (level) => {
    const signer = await demo.signer(kind)
    const jws = await signJades(content, signer, { ...helpers(), level })
    expect(await validated(jws)).toMatchObject({
      indication: 'valid',
      signatures: [{ level, findings: [], provenTime: { by: 'timestamp' } }],
    })
    await flattenedVerify(asJws(jws), signer.certificate.publicKey)
  })
})

/** A signer and its private key, for jose and for what nobody should sign. */
async function pairOf(kind: (typeof keys)[number]) {
  const issued = await holderWith(demo.pki, kind)
  return { signer: demo.signerOf(issued), privateKey: issued.key.privateKey }
}

test.each(['sha256', 'sha384', 'sha512'] as const)('RSA signs with %s, also with PSS', async (digest) => {
  const signer = await demo.signer()
  for (const pss of [false, true]) {
    const jws = await signJades(content, signer, { now, digest, pss })
    const { protectedHeader } = await compactVerify(jws, signer.certificate.publicKey)
    expect(protectedHeader.alg).toBe(`${pss ? 'PS' : 'RS'}${digest.slice(3)}`)
    expect((await validated(jws)).indication).toBe('valid')
  }
})

describe('a further signature', () => {
  test('stands beside the first in general serialization; jose and we verify both', async () => {
    const [ana, bruno] = [await demo.signer(), demo.holder('bruno-lima')]
    for (const options of [{}, { serialization: 'flattened', encoded: false }, { serialization: 'general' }] as const) {
      const first = await signJades(content, ana, { now, ...options })
      const both = await addJadesSignature(first, bruno, { ...helpers(), level: 'B-T' })
      expect(await validated(both)).toMatchObject({
        indication: 'valid',
        signatures: [{ level: 'B-B' }, { level: 'B-T' }],
      })
      for (const { certificate } of [ana, bruno]) await generalVerify(asJws(both), certificate.publicKey)
    }
  })

  test('is refused where the content is elsewhere', async () => {
    const signer = await demo.signer()
    const detached = await signJades(content, signer, { now, packaging: 'detached', uri: 'a' })
    expect(() => prepareJadesSignature(detached, signer.certificate, { now })).toThrow(codeOf('jades.content-needed'))
  })
})

describe('archives', () => {
  test('are renewed, with the data of the timestamp before', async () => {
    const first = await signJades(content, await demo.signer(), { ...helpers(), level: 'B-LTA' })
    const renewed = await extendJades(first, { ...helpers(), level: 'B-LTA' })
    const report = await validated(renewed)
    expect(report).toMatchObject({ indication: 'valid', signatures: [{ level: 'B-LTA', findings: [] }] })
    expect(report.signatures[0]!.timestamps.map(({ kind }) => kind)).toEqual(['signature', 'archive', 'archive'])
  })

  test('of a detached content need it, and notice when a component before them was changed', async () => {
    const signer = await demo.signer()
    const options = { ...helpers(), level: 'B-LTA', packaging: 'detached', uri: 'ata.json' } as const
    const jws = await signJades(content, signer, options)
    expect(await validated(jws, { content })).toMatchObject({ indication: 'valid', signatures: [{ level: 'B-LTA' }] })
    const { header, ...rest } = asJws(jws)
    const [sigTst, xVals, rVals, arcTst] = header.etsiU as string[]
    const without = JSON.stringify({ ...rest, header: { etsiU: [sigTst, rVals, xVals, arcTst] } })
    const report = await validated(without, { content })
    expect(report.signatures[0]!.findings).toContainEqual(codeOf('timestamp-invalid'))
    await expect(extendJades(jws, { ...helpers(), level: 'B-LTA' })).rejects.toThrow(codeOf('jades.content-needed'))
  })

  test('a compact signature becomes a flattened one when it is extended', async () => {
    const compact = await signJades(content, await demo.signer(), { now })
    const extended = await extendJades(compact, { ...helpers(), level: 'B-T' })
    expect(Object.keys(json(extended)).toSorted()).toEqual(['header', 'payload', 'protected', 'signature'])
    expect(await validated(extended)).toMatchObject({ indication: 'valid', signatures: [{ level: 'B-T' }] })
  })
})

describe('a detached signature', () => {
  const signed = async (more: Partial<JadesOptions> = {}) =>
    signJades(content, await demo.signer(), {
      now,
      packaging: 'detached',
      uri: 'ata.json',
      further: [{ uri: 'plain.txt', content: plain, mimeType: 'text/plain' }],
      ...more,
    })

  test('is over all its contents: one that is missing was not checked, one that differs was changed', async () => {
    const jws = await signed()
    const contents = { 'ata.json': content, 'plain.txt': plain }
    const stateOf = async (given: Record<string, Uint8Array>) => {
      const { indication, signatures } = await validated(jws, { contents: given })
      return [indication, signatures[0]!.integrity.content.state]
    }
    expect(await stateOf(contents)).toEqual(['valid', 'passed'])
    expect(await stateOf({ 'ata.json': content })).toEqual(['indeterminate', 'not-checked'])
    expect(await stateOf({ ...contents, 'plain.txt': content })).toEqual(['invalid', 'failed'])
  })

  test('is judged by the digest of its content; one by another algorithm leaves it open', async () => {
    const jws = await signed({ further: [] })
    const stateOf = async (name: string, bytes: Uint8Array) => {
      const contentDigests = { [name]: createHash(name).update(bytes).digest() }
      const { indication, signatures } = await validated(jws, { contentDigests })
      return [indication, signatures[0]!.integrity.content.state]
    }
    expect(await stateOf('sha256', content)).toEqual(['valid', 'passed'])
    expect(await stateOf('sha256', plain)).toEqual(['invalid', 'failed'])
    expect(await stateOf('sha512', content)).toEqual(['indeterminate', 'not-checked'])
  })
})

describe('what is not believed', () => {
  const header = (more: object = {}) => {
    const { certificate } = demo.holder('ana-souza')
    return { alg: 'RS256', x5c: [certificate.der.toString('base64')], iat: Math.floor(now.getTime() / 1_000), ...more }
  }
  const compactOf = (protectedHeader: object | string, signature: Uint8Array | string = '') => {
    const text = typeof protectedHeader === 'string' ? protectedHeader : JSON.stringify(protectedHeader)
    return `${base64url(text)}.${base64url(content)}.${base64url(signature)}`
  }
  const signedWith = async (protectedHeader: object) => {
    const { privateKey } = await pairOf('RSA-2048')
    const input = `${base64url(JSON.stringify(protectedHeader))}.${base64url(content)}`
    return `${input}.${createSign('sha256').update(input).sign(privateKey, 'base64url')}`
  }

  test('no signature at all, and a secret made of the public key', async () => {
    for (const alg of ['none', 'NONE', 'nOnE']) {
      const report = await validated(compactOf(header({ alg })))
      expect(report).toMatchObject({ indication: 'invalid' })
      expect(report.signatures[0]!.findings).toContainEqual(codeOf('jades.algorithm-forbidden'))
    }
    const pem = demo.holder('ana-souza').certificate.publicKey.export({ type: 'spki', format: 'pem' })
    const input = compactOf(header({ alg: 'HS256' }))
      .split('.')
      .slice(0, 2)
      .join('.')
    const report = await validated(`${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`)
    expect(report).toMatchObject({ indication: 'invalid' })
    expect(report.signatures[0]!.findings).toContainEqual(codeOf('jades.algorithm-forbidden'))
  })

  test('a critical extension that is not known, or that is listed wrongly', async () => {
    expect(
      (await validated(await signedWith(header({ crit: ['sigT'], sigT: '2026-01-01T00:00:00Z' })))).signatures[0]!
        .integrity.signature.state,
    ).toBe('passed')
    const unknown = await validated(await signedWith(header({ crit: ['x'], x: 1 })))
    expect(unknown.indication).toBe('invalid')
    expect(unknown.signatures[0]!.findings).toContainEqual(codeOf('jades.critical-unknown'))
    for (const more of [
      { crit: [] },
      { crit: ['x'] },
      { crit: 'x' },
      { crit: ['b64', 'b64'], b64: true },
      { b64: false },
      { b64: 1 },
    ]) {
      const report = await validated(await signedWith(header(more)))
      expect(report.indication).toBe('invalid')
      expect(report.signatures[0]!.findings).toContainEqual(codeOf('structure-malformed'))
    }
  })

  test('what changes how it is read, where no signature is over it', async () => {
    const jws = asJws(await signJades(content, await demo.signer(), { now, serialization: 'flattened' }))
    expect((await validated(JSON.stringify({ ...jws, header: { kid: 'x' } }))).indication).toBe('valid')
    for (const unsigned of [{ crit: ['x'], x: 1 }, { b64: false }, { sigD: {} }]) {
      const report = await validated(JSON.stringify({ ...jws, header: unsigned }))
      expect(report.indication).toBe('invalid')
      expect(report.signatures[0]!.findings).toContainEqual(codeOf('structure-malformed'))
    }
  })

  test('an unknown algorithm is open, a wrong curve and another encoding of the value are not', async () => {
    expect((await validated(compactOf(header({ alg: 'XY1' }), Buffer.alloc(64)))).indication).toBe('indeterminate')
    const { signer, privateKey } = await pairOf('P-256')
    const jws = (await signJades(content, signer, { now })).toString()
    const [first, payload] = jws.split('.')
    const der = createSign('sha256').update(`${first}.${payload}`).sign(privateKey, 'base64url')
    const report = await validated(`${first}.${payload}.${der}`)
    expect(report.signatures[0]!.findings).toContainEqual(codeOf('signature-wrong'))
    const es384 = { ...JSON.parse(Buffer.from(first!, 'base64url').toString()), alg: 'ES384' }
    const wrong = await validated(compactOf(es384, Buffer.alloc(96)))
    expect(wrong.signatures[0]!.findings).toContainEqual(codeOf('signature-wrong'))
  })

  test('another certificate than the one the header names, and one that no signature is over', async () => {
    const other = demo.holder('bruno-lima').certificate
    const thumbprint = createHash('sha256').update(other.der).digest('base64url')
    const report = await validated(await signedWith(header({ 'x5t#S256': thumbprint })))
    expect(report).toMatchObject({
      indication: 'indeterminate',
      signatures: [{ integrity: { certificateBinding: { state: 'failed' } } }],
    })
    const { x5c, ...bare } = header()
    const [protectedText, payload, signature] = (await signedWith(bare)).split('.')
    const unprotected = JSON.stringify({ protected: protectedText, payload, signature, header: { x5c } })
    expect((await validated(unprotected)).signatures[0]!.findings).toContainEqual(
      codeOf('signing-certificate-unprotected'),
    )
    expect((await validated(await signedWith(bare))).signatures[0]!.findings).toContainEqual(
      codeOf('signing-certificate-missing'),
    )
    expect(await validated(await signedWith(bare), { certificates: [other] })).toMatchObject({
      indication: 'indeterminate',
    })
  })

  test('a changed payload, header or value', async () => {
    const jws = (await signJades(content, await demo.signer(), { now })).toString()
    const [first, payload, value] = jws.split('.') as [string, string, string]
    const report = await validated(`${first}.${base64url('other')}.${value}`)
    expect(report).toMatchObject({
      indication: 'invalid',
      signatures: [{ integrity: { signature: { state: 'failed' } } }],
    })
    const moved = JSON.stringify({ ...JSON.parse(Buffer.from(first, 'base64url').toString()), iat: 1 })
    expect((await validated(`${base64url(moved)}.${payload}.${value}`)).indication).toBe('invalid')
    expect((await validated(`${first}.${payload}.${base64url(Buffer.alloc(256))}`)).indication).toBe('invalid')
  })

  test.each<[string, () => string, string]>([
    ['a name twice in the header', () => compactOf('{"alg":"RS256","alg":"none"}'), 'jades.duplicate-name'],
    ['a name twice, once escaped', () => compactOf('{"alg":"RS256","\\u0061lg":"none"}'), 'jades.duplicate-name'],
    [
      'a name twice in the JWS',
      () => '{"protected":"e30","payload":"","payload":"","signature":""}',
      'jades.duplicate-name',
    ],
    ['one signature and several', () => '{"payload":"","signature":"","signatures":[]}', 'jades.malformed'],
    [
      'a name in both headers',
      () => `{"protected":"${base64url('{"alg":"RS256"}')}","header":{"alg":"none"},"signature":""}`,
      'jades.malformed',
    ],
    ['a header that is no object', () => compactOf('[]'), 'jades.malformed'],
    ['a header that is no JSON', () => compactOf('{'), 'jades.malformed'],
    ['base64 instead of base64url', () => `${base64url('{"alg":"RS256"}')}..++++`, 'jades.malformed'],
    ['bits that nothing reads', () => `${base64url('{"alg":"RS256"}')}..AB`, 'jades.malformed'],
    ['no signature', () => '{"payload":"","signatures":[]}', 'jades.malformed'],
    ['two parts', () => 'e30.e30', 'jades.malformed'],
    ['five parts', () => 'e30.e30.e30.e30.e30', 'jades.malformed'],
    ['depth', () => `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, 'jades.malformed'],
  ])('is refused: %s', async (_what, jws, code) => {
    await expect(validated(jws())).rejects.toThrow(codeOf(code))
  })
})

describe('signing is refused', () => {
  test.each<[string, Uint8Array, Partial<JadesOptions>, string]>([
    ['at a level in compact form', content, { level: 'B-T', serialization: 'compact' }, 'jades.timestamps-needed'],
    ['detached without a name', content, { packaging: 'detached' }, 'jades.uri-missing'],
    [
      'as it is where it is no text',
      Buffer.of(0xff),
      { encoded: false, serialization: 'flattened' },
      'jades.payload-unsafe',
    ],
    ['as it is with a full stop in compact form', content, { encoded: false }, 'jades.payload-unsafe'],
  ])('%s', async (_what, bytes, options, code) => {
    await expect(signJades(bytes, await demo.signer(), { now, ...options })).rejects.toThrow(codeOf(code))
  })

  test('at a level in compact form, and over another digest than that of the curve', async () => {
    const signer = await demo.signer('P-256')
    const compact = { ...helpers(), level: 'B-T', serialization: 'compact' } as const
    await expect(signJades(content, signer, compact)).rejects.toThrow(codeOf('jades.compact'))
    await expect(signJades(content, signer, { now, digest: 'sha512' })).rejects.toThrow(codeOf('jades.digest-unfit'))
  })
})

test('the time is said in iat or, for older readers, in sigT', async () => {
  for (const timeHeader of ['iat', 'sigT'] as const) {
    const jws = await signJades(content, await demo.signer(), { now, timeHeader })
    const { signatures } = await validated(jws)
    expect(signatures[0]!.claimedTime?.getTime()).toBe(Math.floor(now.getTime() / 1_000) * 1_000)
  }
})
