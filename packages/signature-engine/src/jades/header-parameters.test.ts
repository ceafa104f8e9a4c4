import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { CompactSign, compactVerify, FlattenedSign } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { toPem } from '../der/pem.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import type { SignerClaims } from '../signing/signer-claims.ts'
import {
  addJadesSignature,
  type HttpMessage,
  type JadesHelpers,
  type JadesOptions,
  signJades,
  type ValidateJadesOptions,
  validateJades,
} from './index.ts'

let demo: DemoSigners
let signer: DigestSigner
const now = new Date()
beforeAll(async () => {
  demo = await demoSignersOfToday()
  signer = await demo.signer()
})

const content = Buffer.from('{"ata":"da assembleia, às 9h."}')
const annex = Buffer.from('nome;cpf\n')
const sign = (options: Partial<JadesOptions & JadesHelpers> = {}) =>
  signJades(content, signer, { now, timestamps: demo.timestamps, judge: demo.judge, ...options })
const judged = (jws: Uint8Array | string, more: Partial<ValidateJadesOptions> = {}) =>
  validateJades(Buffer.from(jws), { judge: demo.judge, now: new Date(), ...more })
const codeOf = (code: string) => expect.objectContaining({ code })
const everything: SignerClaims = {
  roles: ['Diretora', 'Procuradora da Café Ltda.'],
  commitments: ['proof-of-approval', 'proof-of-origin', '1.3.6.1.4.1.99999.7'],
  place: { street: 'Rua da Aurora, 1', city: 'Recife', state: 'PE', postalCode: '50050-000', country: 'BR' },
}
const headerOf = () => {
  const { certificate } = demo.holder('ana-souza')
  return { alg: 'RS256', x5c: [certificate.der.toString('base64')], iat: Math.floor(now.getTime() / 1_000) }
}
const keyOf = () => demo.pki.certificate('ana-souza').key.privateKey
/** Signed by jose. */
const signedWith = (more: object) =>
  new CompactSign(content).setProtectedHeader({ ...headerOf(), ...more }).sign(keyOf())

describe('claims of a JAdES signature', () => {
  it('are signed, read into the same fields as in other formats, and no obstacle to jose', async () => {
    const jws = await sign({ claims: everything, mimeType: 'application/json' })
    const { protectedHeader } = await compactVerify(jws, signer.certificate.publicKey)
    expect(protectedHeader).toMatchObject({
      srCms: [
        { commId: { id: 'http://uri.etsi.org/01903/v1.2.2#ProofOfApproval' } },
        { commId: { id: 'http://uri.etsi.org/01903/v1.2.2#ProofOfOrigin' } },
        { commId: { id: 'urn:oid:1.3.6.1.4.1.99999.7' } },
      ],
      sigPl: { addressLocality: 'Recife', addressRegion: 'PE', addressCountry: 'BR' },
      srAts: { claimed: [{ mediaType: 'text/plain', encoding: 'binary', qVals: everything.roles }] },
    })
    const { indication, signatures } = await judged(jws)
    expect(indication).toBe('valid')
    expect(signatures[0]).toMatchObject({
      findings: [],
      claims: { ...everything, mimeType: 'application/json', description: null },
    })
    expect((await judged(await sign())).signatures[0]).not.toHaveProperty('claims')
  })

  it('are made by further signatures, and refused like anywhere else', async () => {
    const both = await addJadesSignature(await sign(), demo.holder('bruno-lima'), { now, claims: everything })
    const { signatures } = await judged(both)
    expect(signatures.map(({ claims }) => claims?.roles)).toEqual([undefined, everything.roles])
    await expect(sign({ claims: { commitments: ['x'] } })).rejects.toThrow(codeOf('signing.commitment-unknown'))
    await expect(sign({ claims: { place: {} } })).rejects.toThrow(codeOf('signing.place-empty'))
  })

  it('of others are read in their forms', async () => {
    const jws = await signedWith({
      cty: 'json',
      srCms: [{ commId: { id: 'urn:oid:1.2.840.113549.1.9.16.6.5' }, commQuals: [{ a: 1 }] }],
      sigPl: { addressLocality: 'Olinda', postOfficeBoxNumber: 'Caixa 7' },
      srAts: {
        certified: [{ x509AttrCert: { val: '' } }],
        claimed: [
          { mediaType: 'text/plain', encoding: 'base64', qVals: [Buffer.from('Síndica').toString('base64')] },
          { mediaType: 'application/xml', encoding: 'binary', qVals: ['<a/>'] },
        ],
      },
      sigPId: { id: { id: 'urn:oid:1.2.3' } },
    })
    const { signatures } = await judged(jws)
    expect(signatures[0]).toMatchObject({
      claims: {
        roles: ['Síndica'],
        commitments: ['proof-of-approval'],
        place: { city: 'Olinda', lines: ['Caixa 7'] },
        mimeType: 'application/json',
      },
      policy: { oid: '1.2.3', status: 'unknown' },
    })
  })

  it('that cannot be read are a warning', async () => {
    const jws = await signedWith({ srCms: 'x', sigPl: [], srAts: { claimed: [1] }, cty: 7 })
    const { indication, signatures } = await judged(jws)
    expect(indication).toBe('valid')
    expect(signatures[0]!.findings.map(({ code, severity }) => [code, severity])).toEqual(
      Array(4).fill(['claim-unreadable', 'warning']),
    )
  })
})

describe('a content timestamp', () => {
  const detached = { packaging: 'detached', uri: 'ata.json', further: [{ uri: 'anexo.csv', content: annex }] } as const
  const contents = { 'ata.json': content, 'anexo.csv': annex }

  it.each<[string, Partial<JadesOptions>, Buffer]>([
    ['an attached content', {}, Buffer.from(content.toString('base64url'))],
    ['a content as it is', { encoded: false, serialization: 'flattened' }, content],
    ['contents that stay outside', detached, Buffer.concat([content, annex])],
  ])('over %s is accepted by openssl and by us, at every level', async (_what, options, stamped) => {
    const jws = await sign({ ...options, contentTimestamp: true, level: 'B-LTA' })
    const header = JSON.parse(Buffer.from(JSON.parse(jws.toString()).protected, 'base64url').toString())
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'token'), Buffer.from(header.adoTst.tstTokens[0].val, 'base64'))
    writeFileSync(join(folder, 'data'), stamped)
    writeFileSync(join(folder, 'root.pem'), toPem('CERTIFICATE', demo.root.der))
    const args = ['ts', '-verify', '-token_in', '-in', 'token', '-data', 'data', '-CAfile', 'root.pem']
    const { ok, text } = await openssl(args, { folder })
    expect(ok, text).toBe(true)
    const { indication, signatures } = await judged(jws, { contents })
    expect(indication).toBe('valid')
    expect(signatures[0]).toMatchObject({ level: 'B-LTA', findings: [] })
    expect(signatures[0]!.timestamps.map(({ kind }) => kind)).toEqual(['content', 'signature', 'archive'])
  })

  it('proves no time of the signature, and is made by further signatures', async () => {
    const jws = await addJadesSignature(await sign(), signer, {
      now,
      timestamps: demo.timestamps,
      contentTimestamp: true,
    })
    const { signatures } = await judged(jws)
    expect(signatures[1]).toMatchObject({
      level: 'B-B',
      provenTime: { by: 'now' },
      timestamps: [{ kind: 'content', indication: 'valid' }],
    })
  })

  it('over something else, or one that cannot be read, is told; without an authority it is refused', async () => {
    const other = createHash('sha256').update('another').digest()
    const { token } = await demo.timestamps.stampDigest('sha256', other)
    const { signatures } = await judged(await sign({ contentTimestamps: [token] }))
    expect(signatures[0]!.timestamps).toMatchObject([{ kind: 'content', imprint: { state: 'failed' } }])
    expect(signatures[0]!.findings).toContainEqual(codeOf('timestamp-invalid'))
    const unreadable = await judged(await signedWith({ adoTst: { tstTokens: [] } }))
    expect(unreadable.signatures[0]!.findings).toContainEqual(codeOf('structure-malformed'))
    await expect(signJades(content, signer, { now, contentTimestamp: true })).rejects.toThrow(
      codeOf('signing.timestamps-missing'),
    )
  })
})

describe('a signature over header fields of HTTP', () => {
  const body = Buffer.from('{"valor":1}')
  const digestOf = (algorithm: string) => createHash(algorithm).update(body).digest('base64')
  const message: HttpMessage = {
    method: 'POST',
    target: '/pix?a=1',
    fields: [
      ['Host', 'exemplo.com.br'],
      ['X-Parte', ' um'],
      ['Digest', `SHA-256=${digestOf('sha256')}, SHA-512=${digestOf('sha512')}`],
      ['x-parte', 'dois\t'],
    ],
    body,
  }
  const PARTS = ['(request-target)', 'host', 'x-parte', 'digest']
  /** The payload as the draft has it, signed by jose. */
  const signed = async (pars: readonly string[], lines: readonly string[], more: object = { b64: false }) => {
    const sigD = { mId: 'http://uri.etsi.org/19182/HttpHeaders', pars }
    const crit = ['sigD', ...('b64' in more ? ['b64'] : [])]
    const header = { ...headerOf(), ...more, crit, sigD }
    const jws = await new FlattenedSign(Buffer.from(lines.join('\n')))
      .setProtectedHeader(header)
      .sign(keyOf(), { crit: { sigD: true } })
    return JSON.stringify({ protected: jws.protected, signature: jws.signature })
  }
  const LINES = [
    '(request-target): post /pix?a=1',
    'host: exemplo.com.br',
    'x-parte: um, dois',
    `digest: SHA-256=${digestOf('sha256')}, SHA-512=${digestOf('sha512')}`,
  ]
  const withField = (name: string, value: string): HttpMessage => ({
    ...message,
    fields: message.fields.map(([field, old]) => [field, field === name ? value : old] as const),
  })
  const stateOf = async (jws: string, httpMessage?: HttpMessage) => {
    const { indication, signatures } = await judged(jws, httpMessage ? { httpMessage } : {})
    const { content: ofContent, signature } = signatures[0]!.integrity
    return [indication, ofContent.state, signature.state]
  }

  it('is judged with the message: fields, request target and, through Digest, the body', async () => {
    const jws = await signed(PARTS, LINES)
    expect(await stateOf(jws, message)).toEqual(['valid', 'passed', 'passed'])
    expect(await stateOf(jws, { ...message, body: Buffer.from('{"valor":2}') })).toEqual([
      'invalid',
      'failed',
      'passed',
    ])
    expect(await stateOf(jws, { ...message, target: '/pix?a=2' })).toEqual(['invalid', 'passed', 'failed'])
    expect(await stateOf(jws, withField('Host', 'outro.com.br'))).toEqual(['invalid', 'passed', 'failed'])
  })

  it('is open where the message, a field or the body is not there', async () => {
    const jws = await signed(PARTS, LINES)
    expect(await stateOf(jws)).toEqual(['indeterminate', 'not-checked', 'not-checked'])
    const { method: _, ...response } = message
    expect(await stateOf(jws, response)).toEqual(['indeterminate', 'not-checked', 'not-checked'])
    const { body: __, ...headers } = message
    expect(await stateOf(jws, headers)).toEqual(['indeterminate', 'not-checked', 'passed'])
  })

  it('with a digest of no known algorithm says nothing of the body', async () => {
    const odd = `MD5=${Buffer.alloc(16).toString('base64')}`
    const jws = await signed(['digest'], [`digest: ${odd}`])
    expect(await stateOf(jws, withField('Digest', odd))).toEqual(['indeterminate', 'not-checked', 'passed'])
  })

  it('without Digest is over a part of the message', async () => {
    const { signatures } = await judged(await signed(['host'], ['host: exemplo.com.br']), { httpMessage: message })
    expect(signatures[0]).toMatchObject({
      indication: 'valid',
      coverage: { wholeDocument: false, description: 'host' },
    })
  })

  it('in base64url is malformed: fields are signed as they are', async () => {
    const jws = await signed(['host'], ['host: exemplo.com.br'], {})
    expect((await judged(jws, { httpMessage: message })).indication).toBe('invalid')
  })
})
