import { createPrivateKey, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { attributeOids, contentTypes } from '../cms/oids.ts'
import { rewriteSignedData, withSignatureTimestamp } from '../cms/rewrite-signed-data.ts'
import { attribute, signingTimeAttribute } from '../cms/signed-attributes.ts'
import { readSignedData } from '../cms/signed-data.ts'
import { type DemoSigners, holderWith } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { digest } from '../crypto/digest.ts'
import { readDer } from '../der/der-value.ts'
import { explicit, integer, nothing, octetString, oid, sequence, setOf, tlv } from '../der/der-writer.ts'
import { EngineError } from '../errors/engine-error.ts'
import { createJudge } from '../judgement/judge-certificate.ts'
import { at } from '../judgement/test-support/crafted-path.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { keySigner } from '../keys/key-signer.ts'
import { policyByOid } from '../policies/policies.ts'
import { INTACT, underDemoRoot } from '../report/test-support/intact.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import type { Certificate } from '../x509/certificate.ts'
import { authority, craft } from '../x509/test-support/crafted-certificate.ts'
import { completeCades, extendCades, prepareCades, signCades, validateCades } from './index.ts'

let demo: DemoSigners
let ana: DigestSigner
beforeAll(async () => {
  demo = await demoSignersOfToday()
  ana = demo.holder('ana-souza')
})

const content = Buffer.from('Pagar R$ 100,00.')
const now = new Date()
const validated = (file: Uint8Array, detached?: Uint8Array) =>
  validateCades(file, { judge: demo.judge, now: new Date(), ...(detached && { content: detached }) })
const codes = (findings: readonly { code: string }[]) => findings.map(({ code }) => code)
const first = async (file: Uint8Array, detached?: Uint8Array) => (await validated(file, detached)).signatures[0]!

/** SHA-256 with NULL, as many programs write it. */
const sha256 = sequence(oid('2.16.840.1.101.3.4.2.1'), nothing)

interface Handmade {
  readonly attributes?: readonly Buffer[]
  readonly digestIdentifier?: Buffer
  readonly signatureIdentifier?: Buffer
  readonly hash?: 'sha1' | 'sha256'
  readonly content?: Buffer
  readonly by?: { readonly certificate: Certificate; readonly chain: readonly Certificate[] }
  readonly made?: (bytes: Buffer) => Buffer
}

/** A CMS signed by Ana with any attributes; for what our own signing would never write. */
function handmade({
  attributes,
  digestIdentifier = sha256,
  signatureIdentifier = sequence(oid('1.2.840.113549.1.1.1'), nothing),
  hash = 'sha256',
  content: inside = content,
  by = ana,
  made = (bytes) => sign(hash, bytes, demo.pki.certificate('ana-souza').key.privateKey),
}: Handmade): Buffer {
  const signed = attributes && setOf(...attributes)
  const signature = made(signed ?? inside)
  const { issuer, serialNumber, der } = by.certificate
  const signer = sequence(
    integer(1),
    sequence(issuer.der, tlv(0x02, serialNumber)),
    digestIdentifier,
    signed && tlv(0xa0, ...attributes.toSorted(Buffer.compare)),
    signatureIdentifier,
    octetString(signature),
  )
  const encapsulated = sequence(oid(contentTypes.data), explicit(0, octetString(inside)))
  const certificates = tlv(0xa0, der, ...by.chain.map((issuers) => issuers.der))
  const body = sequence(integer(1), setOf(digestIdentifier), encapsulated, certificates, setOf(signer))
  return sequence(oid(contentTypes.signedData), explicit(0, body))
}

const contentType = attribute(attributeOids.contentType, oid(contentTypes.data))
const messageDigest = attribute(attributeOids.messageDigest, octetString(digest('sha256', content)))
const ess = (hash: Buffer) =>
  attribute(attributeOids.signingCertificateV2, sequence(sequence(sequence(octetString(hash)))))
const rightEss = (certificate = ana.certificate) => ess(digest('sha256', certificate.der))
const essNaming = (issuer: Certificate['issuer'], serialNumber: Uint8Array) => {
  const named = sequence(sequence(explicit(4, issuer.der)), tlv(0x02, serialNumber))
  const certificate = sequence(octetString(digest('sha256', ana.certificate.der)), named)
  return attribute(attributeOids.signingCertificateV2, sequence(sequence(certificate)))
}
const time = signingTimeAttribute(now)

describe('a changed byte', () => {
  it('anywhere in content, signed attributes or signature value is never reported valid', async () => {
    const signer = await demo.signer('P-256')
    const file = await signCades(content, signer, { now })
    const { signers, content: inside } = readSignedData(file)
    const [info] = signers
    const attributes = Buffer.concat([Buffer.of(0xa0), info!.toBeSigned!.subarray(1)])
    const ranges = [inside!, attributes, info!.signature].map((part) => [file.indexOf(part), part.length] as const)
    for (const [start, length] of ranges) {
      expect(start).toBeGreaterThan(0)
      for (let at = start; at < start + length; at++) {
        const changed = Buffer.from(file)
        changed[at]! ^= 0x01
        let indication = 'refused'
        try {
          ;({ indication } = await validated(changed))
        } catch (error) {
          expect(error).toBeInstanceOf(EngineError)
        }
        expect(['refused', 'invalid', 'indeterminate'], `byte ${at}`).toContain(indication)
      }
    }
  })

  it('in a detached content is told', async () => {
    const file = await signCades(content, ana, { now, packaging: 'detached' })
    const signature = await first(file, Buffer.from('Pagar R$ 900,00.'))
    expect(signature).toMatchObject({
      indication: 'invalid',
      integrity: { content: { state: 'failed' }, signature: { state: 'passed' } },
    })
    expect(codes(signature.findings)).toEqual(['content-changed'])
  })

  it('anywhere else ends in a report or a refusal', async () => {
    const file = await signCades(content, ana, { now, level: 'B-T', timestamps: demo.timestamps })
    const offline = createJudge({ anchors: TrustAnchors.of([demo.root]) })
    await fc.assert(
      fc.asyncProperty(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const changed = Buffer.from(file)
        changed[at]! ^= mask
        try {
          await validateCades(changed, { judge: offline, now })
        } catch (error) {
          if (!(error instanceof EngineError)) throw error
        }
      }),
      { numRuns: 250 },
    )
  })
})

describe('a detached signature', () => {
  it('without its content is indeterminate', async () => {
    const signature = await first(await signCades(content, ana, { now, packaging: 'detached' }))
    expect(signature.indication).toBe('indeterminate')
    expect(codes(signature.findings)).toEqual(['content-missing'])
  })

  it('takes its content as a stream', async () => {
    const file = await signCades(content, ana, { now, packaging: 'detached' })
    async function* pieces() {
      yield content.subarray(0, 5)
      yield content.subarray(5)
    }
    const report = await validateCades(file, { judge: demo.judge, now, content: pieces() })
    expect(report.indication).toBe('valid')
  })
})

it('an attached signature asked about with another content is invalid', async () => {
  const report = await validated(await signCades(content, ana, { now }), Buffer.from('other'))
  expect(report.indication).toBe('invalid')
  expect(codes(report.findings)).toEqual(['content-changed'])
})

describe('attributes', () => {
  it('as CAdES wants them, written by hand, are valid', async () => {
    const { issuer, serialNumber } = ana.certificate
    for (const binding of [rightEss(), essNaming(issuer, serialNumber)]) {
      const file = handmade({ attributes: [contentType, messageDigest, binding, time] })
      expect(await first(file)).toMatchObject({ level: 'B-B', indication: 'valid' })
    }
  })

  it.each([
    ['two message digests', () => [contentType, messageDigest, messageDigest, rightEss(), time], 'duplicate-attribute'],
    ['two signing times', () => [contentType, messageDigest, rightEss(), time, time], 'duplicate-attribute'],
    ['no message digest', () => [contentType, rightEss(), time], 'structure-malformed'],
    ['no content type', () => [messageDigest, rightEss(), time], 'structure-malformed'],
    [
      'the type of another content',
      () => [attribute(attributeOids.contentType, oid('1.2.3')), messageDigest, rightEss(), time],
      'structure-malformed',
    ],
    [
      'the number of another certificate beside the hash',
      () => [contentType, messageDigest, essNaming(ana.certificate.issuer, demo.root.serialNumber), time],
      'signing-certificate-mismatch',
    ],
    [
      'the issuer of another certificate beside the hash',
      () => [contentType, messageDigest, essNaming(demo.root.subject, ana.certificate.serialNumber), time],
      'signing-certificate-mismatch',
    ],
    [
      'the hash of another certificate',
      () => [contentType, messageDigest, ess(digest('sha256', demo.root.der)), time],
      'signing-certificate-mismatch',
    ],
  ] as const)('with %s are invalid', async (_what, attributes, code) => {
    const signature = await first(handmade({ attributes: attributes() }))
    expect(signature.indication).toBe(code === 'signing-certificate-mismatch' ? 'indeterminate' : 'invalid')
    expect(codes(signature.findings)).toContain(code)
  })

  it('without a signing certificate only warn, but reach no level', async () => {
    const signature = await first(handmade({ attributes: [contentType, messageDigest, time] }))
    expect(signature).toMatchObject({ level: 'none', indication: 'valid' })
    expect(codes(signature.findings)).toEqual(['signing-certificate-unprotected'])
  })

  it('may be missing altogether, unless the content is a set of attributes itself', async () => {
    expect(await first(handmade({}))).toMatchObject({ level: 'none', indication: 'valid' })
    const disguised = setOf(contentType, messageDigest)
    const signature = await first(handmade({ content: disguised }))
    expect(signature.indication).toBe('invalid')
  })

  it('with a time far from the truth are told', async () => {
    const late = attribute(attributeOids.signingTime, tlv(0x17, Buffer.from('490101000000Z')))
    const signature = await first(handmade({ attributes: [contentType, messageDigest, rightEss(), late] }))
    expect(codes(signature.findings)).toContain('signing-time-implausible')
  })
})

describe('algorithms', () => {
  it('that are weak leave it open, for time could save it', async () => {
    const sha1 = sequence(oid('1.3.14.3.2.26'), nothing)
    const weak = attribute(attributeOids.messageDigest, octetString(digest('sha1', content)))
    const options = { attributes: [contentType, weak, rightEss(), time], digestIdentifier: sha1, hash: 'sha1' as const }
    const signature = await first(handmade(options))
    expect(signature).toMatchObject({
      mainIndication: 'INDETERMINATE',
      subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
    })
    expect(codes(signature.findings)).toContain('algorithm-weak')
  })

  it('may be named by the combined identifier, but digest and signature must agree', async () => {
    const attributes = [contentType, messageDigest, rightEss(), time]
    const combined = sequence(oid('1.2.840.113549.1.1.11'), nothing)
    expect((await first(handmade({ attributes, signatureIdentifier: combined }))).indication).toBe('valid')
    const other = sequence(oid('1.2.840.113549.1.1.13'), nothing)
    expect((await first(handmade({ attributes, signatureIdentifier: other }))).indication).toBe('invalid')
  })

  it('of plain ECDSA, whose value is not DER, are verified', async () => {
    const issued = await holderWith(demo.pki, 'P-256')
    const by = demo.signerOf(issued)
    const plain = (bytes: Buffer) => sign('sha256', bytes, { key: issued.key.privateKey, dsaEncoding: 'ieee-p1363' })
    const attributes = [contentType, messageDigest, rightEss(by.certificate), time]
    const signatureIdentifier = sequence(oid('0.4.0.127.0.7.1.1.4.1.3'))
    expect(await first(handmade({ attributes, signatureIdentifier, by, made: plain }))).toMatchObject({
      indication: 'valid',
      findings: [],
    })
    const forged = (bytes: Buffer) => plain(Buffer.concat([bytes, bytes]))
    expect((await first(handmade({ attributes, signatureIdentifier, by, made: forged }))).indication).toBe('invalid')
  })

  it.each(['PKCS #1 v1.5', 'PSS'])(
    'that say PKCS #1 v1.5 are refused to a key for PSS, as openssl does: %s',
    async (padding) => {
      const issued = await holderWith(demo.pki, 'RSA-PSS')
      const by = demo.signerOf(issued)
      const { privateKey } = issued.key
      const [version, , secret] = readDer(privateKey.export({ format: 'der', type: 'pkcs8' })).members()
      const rsaEncryption = sequence(oid('1.2.840.113549.1.1.1'), nothing)
      const plain = { key: sequence(version!.raw, rsaEncryption, secret!.raw), format: 'der', type: 'pkcs8' } as const
      const made = (bytes: Buffer) => sign('sha256', bytes, padding === 'PSS' ? privateKey : createPrivateKey(plain))
      const attributes = [contentType, messageDigest, rightEss(by.certificate), time]
      const file = handmade({ attributes, by, made })
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'signed'), file)
      const verifying = ['cms', '-verify', '-inform', 'DER', '-in', 'signed', '-noverify', '-out', 'out']
      expect(await openssl(verifying, { folder })).toMatchObject({ ok: false })
      const signature = await first(file)
      expect(signature.indication).toBe('invalid')
      expect(codes(signature.findings)).toContain('signature-wrong')
    },
  )

  it('that are weak in the chain leave it open, too', async () => {
    const root = craft({ subject: { CN: 'Old root' }, extensions: authority() })
    const holder = craft({ subject: { CN: 'Old holder' }, issuer: root, hash: 'sha1' })
    const signer = keySigner({ ...holder, chain: [root.certificate] })
    const judge = createJudge({ anchors: TrustAnchors.of([root.certificate]) })
    const file = await signCades(content, signer, { now: at })
    const report = await validateCades(file, { judge, now: at })
    expect(report.indication).toBe('indeterminate')
    expect(report.signatures[0]!.certificate?.reasons.map(({ code }) => code)).toContain('algorithm.weak')
  })

  it('that are unknown leave the question open', async () => {
    const attributes = [contentType, messageDigest, rightEss(), time]
    const unknown = sequence(oid('1.2.3.4.5'))
    const { signatures } = await validated(handmade({ attributes, digestIdentifier: unknown }))
    expect(codes(signatures[0]!.findings)).toContain('algorithm-unknown')
    expect(signatures[0]!.indication).not.toBe('valid')
  })
})

describe('certificates', () => {
  it('of a revoked signer leave it open: nothing proves that it is older', async () => {
    const revoked = demo.holder('revoked')
    const signature = await first(await signCades(content, revoked, { now }))
    expect(signature).toMatchObject({ mainIndication: 'INDETERMINATE', subIndication: 'REVOKED_NO_POE' })
    expect(codes(signature.findings)).toEqual(['certificate-not-trusted'])
    expect(signature.integrity).toEqual(INTACT)
  })

  it('under a root nobody trusts leave it indeterminate', async () => {
    const signature = await first(await signCades(content, demo.holder('under-unknown-root'), { now }))
    expect(signature.indication).toBe('indeterminate')
    expect(codes(signature.findings)).toEqual(['certificate-indeterminate'])
  })

  it('that are missing leave it indeterminate', async () => {
    const signedData = readSignedData(await signCades(content, ana, { now }))
    const without = rewriteSignedData({ ...signedData, certificateChoices: [] }, {})
    const signature = await first(without)
    expect(signature).toMatchObject({ indication: 'indeterminate', signer: null })
    expect(codes(signature.findings)).toEqual(['signing-certificate-missing'])
  })
})

describe('policies', () => {
  const prepared = async (policy: { oid: string; hash: Uint8Array; uri: string }) => {
    const {
      toSign,
      digest: value,
      algorithm,
      state,
    } = prepareCades(content, ana.certificate, {
      now,
      policy,
      chain: ana.chain,
    })
    return completeCades(state, await ana.sign({ toSign, digest: value, algorithm }))
  }

  it('with the hash of the file instead of the inner one are a mismatch', async () => {
    const policy = policyByOid('2.16.76.1.7.1.1.2.4')!
    const signature = await first(await prepared({ ...policy, hash: policy.fileHash }))
    expect(signature.subIndication).toBe('POLICY_PROCESSING_ERROR')
    expect(codes(signature.findings)).toContain('policy-hash-mismatch')
  })

  it('that promise a timestamp are not kept without one', async () => {
    const signature = await first(await signCades(content, ana, { now, level: 'AD-RB' }))
    expect(signature).toMatchObject({ level: 'AD-RB', indication: 'valid' })
    const unkept = await first(await prepared(policyByOid('2.16.76.1.7.1.2.2.4')!))
    expect(unkept).toMatchObject({ level: 'AD-RB', subIndication: 'SIG_CONSTRAINTS_FAILURE' })
    expect(unkept.findings.map(({ severity }) => severity)).toEqual(['error', 'warning'])
    expect(new Set(codes(unkept.findings))).toEqual(new Set(['policy-requirement-unmet']))
  })

  it('of ICP-Brasil under a root that they do not name are told', async () => {
    const signature = await first(await signCades(content, ana, { now, level: 'AD-RB' }))
    expect(signature).toMatchObject({ level: 'AD-RB', mainIndication: 'TOTAL-PASSED' })
    expect(signature.findings).toEqual(underDemoRoot('AD-RB'))
  })

  it('of another format are not kept', async () => {
    const signature = await first(await prepared(policyByOid('2.16.76.1.7.1.11.1.3')!))
    expect(codes(signature.findings)).toContain('policy-requirement-unmet')
  })

  it('that nobody knows only warn', async () => {
    const unknown = { oid: '1.2.3.4', hash: Buffer.alloc(32), uri: 'http://example.com/policy' }
    const signature = await first(await prepared(unknown))
    expect(signature.indication).toBe('valid')
    expect(codes(signature.findings)).toEqual(['policy-unknown'])
  })
})

describe('timestamps', () => {
  it('over another signature prove nothing', async () => {
    const file = await signCades(content, ana, { now })
    const { token } = await demo.timestamps.stamp(Buffer.from('something else'))
    const signature = await first(withSignatureTimestamp(file, token))
    expect(signature).toMatchObject({ level: 'B-B', indication: 'indeterminate', provenTime: { by: 'now' } })
    expect(codes(signature.findings)).toEqual(['timestamp-invalid'])
  })

  it('that are garbage are reported, and the signature is judged', async () => {
    const file = await signCades(content, ana, { now })
    const signature = await first(withSignatureTimestamp(file, sequence()))
    expect(signature.timestamps[0]?.indication).toBe('invalid')
    expect(signature.integrity.signature).toEqual({ state: 'passed' })
  })

  it('prove the time a certificate is judged for', async () => {
    const issued = await demo.pki.issuePerson({ name: 'Nara Leal', cpf: '52998224725' }, { key: 'P-256' })
    const signer = demo.signerOf(issued)
    const stamped = await signCades(content, signer, { now, level: 'B-T', timestamps: demo.timestamps })
    const later = await extendCades(stamped, { level: 'B-LT', now, timestamps: demo.timestamps, judge: demo.judge })
    expect((await first(later)).provenTime.by).toBe('timestamp')
  })
})

describe('signatures of others', () => {
  it('made by openssl with -cades are valid', async () => {
    const folder = temporaryFolder()
    const issued = demo.pki.certificate('ana-souza')
    writeFileSync(join(folder, 'signer.pem'), issued.x509.toString())
    writeFileSync(join(folder, 'key.pem'), issued.key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const chain = demo.pki
      .chainOf(issued)
      .slice(1)
      .map(({ x509 }) => x509.toString())
    writeFileSync(join(folder, 'chain.pem'), chain.join(''))
    const args = ['cms', '-sign', '-cades', '-nodetach', '-binary', '-outform', 'DER', '-md', 'sha256']
    const signed = await openssl([...args, '-signer', 'signer.pem', '-inkey', 'key.pem', '-certfile', 'chain.pem'], {
      input: content,
      folder,
    })
    expect(signed.ok, signed.text).toBe(true)
    expect(await first(signed.stdout)).toMatchObject({ level: 'B-B', indication: 'valid' })
  })

  it('with bytes behind the structure are judged as OpenSSL does, and the bytes are told', async () => {
    const folder = temporaryFolder()
    const signed = Buffer.concat([await signCades(content, ana, { now }), Buffer.from('\r\ntrailing')])
    writeFileSync(join(folder, 'signed'), signed)
    const verifying = ['cms', '-verify', '-inform', 'DER', '-in', 'signed', '-noverify', '-out', 'out']
    expect(await openssl(verifying, { folder })).toMatchObject({ ok: true })
    const report = await validated(signed)
    expect(report).toMatchObject({ indication: 'valid', findings: [{ code: 'trailing-bytes', severity: 'warning' }] })
  })

  it('of which a file has two, in PEM, are not passed over: the first is judged, as OpenSSL does, the other told', async () => {
    const file = await signCades(content, ana, { now, encoding: 'PEM' })
    expect(await validated(file)).toMatchObject({ indication: 'valid', findings: [] })
    const report = await validated(Buffer.concat([file, file]))
    expect(report.signatures).toHaveLength(1)
    expect(report).toMatchObject({ indication: 'valid', findings: [{ code: 'trailing-bytes', severity: 'warning' }] })
  })

  it('with a degenerate SignedData have no signature', async () => {
    const bundle = sequence(
      oid(contentTypes.signedData),
      explicit(0, sequence(integer(1), setOf(), sequence(oid(contentTypes.data)), setOf())),
    )
    const report = await validated(bundle)
    expect(report.indication).toBe('indeterminate')
    expect(codes(report.findings)).toEqual(['no-signature'])
  })

  it('that are no CMS are refused', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), Buffer.from('%PDF-1.7'), Buffer.alloc(100, 0x30)]) {
      await expect(validated(bytes)).rejects.toBeInstanceOf(EngineError)
    }
  })
})
