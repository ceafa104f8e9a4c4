// Every algorithm of JWA that is allowed, both ways: against jose, and against node:crypto where jose has none.
import { generateKeyPairSync, type KeyObject, sign, verify, X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { CompactSign, compactVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { type DemoSigners, holderWith, type keyKinds } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { createJudge } from '../judgement/judge-certificate.ts'
import { keySigner } from '../keys/key-signer.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import { Certificate } from '../x509/certificate.ts'
import { type JadesOptions, signJades, validateJades } from './index.ts'

let demo: DemoSigners
const now = new Date()
beforeAll(async () => {
  demo = await demoSignersOfToday()
})

const content = Buffer.from('{"ata":"da assembleia, às 9h."}')
const seconds = Math.floor(now.getTime() / 1_000)
const inBase64 = (certificates: readonly Certificate[]) => certificates.map(({ der }) => der.toString('base64'))
/** Another valid value of base64url in its place. */
const damaged = (jws: string) => {
  const [header, payload, value] = jws.split('.') as [string, string, string]
  const bytes = Buffer.from(value, 'base64url')
  bytes[9]! ^= 1
  return `${header}.${payload}.${bytes.toString('base64url')}`
}

type Kind = (typeof keyKinds)[number]

const ofJose: readonly [alg: string, kind: Kind, options: Pick<JadesOptions, 'digest' | 'pss'>][] = [
  ['RS256', 'RSA-2048', {}],
  ['RS384', 'RSA-2048', { digest: 'sha384' }],
  ['RS512', 'RSA-4096', { digest: 'sha512' }],
  ['PS256', 'RSA-2048', { pss: true }],
  ['PS384', 'RSA-2048', { pss: true, digest: 'sha384' }],
  ['PS512', 'RSA-4096', { pss: true, digest: 'sha512' }],
  ['ES256', 'P-256', {}],
  ['ES384', 'P-384', {}],
  ['ES512', 'P-521', {}],
  ['EdDSA', 'Ed25519', {}],
]

describe.each(ofJose)('%s, with a key of kind %s', (alg, kind, options) => {
  it('that we made is valid for jose, and damaged it is not', async () => {
    const signer = await demo.signer(kind)
    const jws = (await signJades(content, signer, { now, ...options })).toString()
    const { payload, protectedHeader } = await compactVerify(jws, signer.certificate.publicKey)
    expect(protectedHeader.alg).toBe(alg)
    expect(Buffer.from(payload).equals(content)).toBe(true)
    await expect(compactVerify(damaged(jws), signer.certificate.publicKey)).rejects.toThrow()
  })

  it('that jose made is valid for us, and damaged it is not', async () => {
    const issued = await holderWith(demo.pki, kind)
    const { certificate, chain } = demo.signerOf(issued)
    const header = { alg, x5c: inBase64([certificate, ...chain]), iat: seconds }
    const jws = await new CompactSign(content).setProtectedHeader(header).sign(issued.key.privateKey)
    const judged = (text: string) => validateJades(Buffer.from(text), { judge: demo.judge, now })
    expect(await judged(jws)).toMatchObject({ indication: 'valid', signatures: [{ level: 'B-B', findings: [] }] })
    expect(await judged(damaged(jws))).toMatchObject({
      indication: 'invalid',
      signatures: [{ integrity: { signature: { state: 'failed' } } }],
    })
  })
})

/** What jose has no algorithm for: how node:crypto makes and checks the value (RFC 8812 §3.2, RFC 8037 §3.1, RFC 9864). */
const ofNode = {
  ES256K: { pair: () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }), digest: 'sha256', names: ['ES256K'] },
  Ed448: { pair: () => generateKeyPairSync('ed448'), digest: null, names: ['EdDSA', 'Ed448'] },
  Ed25519: { pair: () => generateKeyPairSync('ed25519'), digest: null, names: ['EdDSA', 'Ed25519'] },
} as const

/** A certificate that signs itself, made by openssl. */
async function certified(privateKey: KeyObject): Promise<Certificate> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const args = ['req', '-x509', '-new', '-key', 'key.pem', '-subj', '/CN=Outra', '-days', '9', '-out', 'c.pem']
  const { ok, text } = await openssl(args, { folder })
  expect(ok, text).toBe(true)
  return Certificate.read(new X509Certificate(readFileSync(join(folder, 'c.pem'))).raw)
}

describe.each(Object.entries(ofNode))('%s, which jose does not have', (_name, { pair, digest, names }) => {
  it('is the same for node:crypto and for us, both ways', async () => {
    const { privateKey, publicKey } = pair()
    const certificate = await certified(privateKey)
    const judge = createJudge({ anchors: TrustAnchors.of([certificate]) })
    const today = new Date() // Not before the certificate.
    const judged = (text: string) => validateJades(Buffer.from(text), { judge, now: today })
    const signer = keySigner({ certificate, privateKey })
    const ours = (await signJades(content, signer, { now: today })).toString()
    expect((await judged(ours)).indication).toBe('valid')
    const [header, payload, value] = ours.split('.') as [string, string, string]
    expect(JSON.parse(Buffer.from(header, 'base64url').toString()).alg).toBe(names[0])
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    const input = Buffer.from(`${header}.${payload}`)
    expect(verify(digest, input, key, Buffer.from(value, 'base64url'))).toBe(true)
    for (const alg of names) {
      const text = JSON.stringify({ alg, x5c: inBase64([certificate]), iat: Math.floor(today.getTime() / 1_000) })
      const signed = `${Buffer.from(text).toString('base64url')}.${payload}`
      const made = sign(digest, Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      const theirs = `${signed}.${made.toString('base64url')}`
      expect((await judged(theirs)).indication).toBe('valid')
      expect((await judged(damaged(theirs))).indication).toBe('invalid')
    }
  })
})
