import { constants, createHash, privateEncrypt, sign } from 'node:crypto'
import { cachedKeys, startDemoPki } from '@chancela/testkit/demo-pki'
import { afterAll, describe, expect, test } from 'vitest'
import type { DigestName } from '../rules/digests.ts'
import { matchedSignatures, verifiedSignatures } from './verify-signatures.ts'

const running = await startDemoPki({ keys: cachedKeys() })
afterAll(() => running.stop())

const rsa = running.pki.certificate('ana-souza')
const ec = running.pki.certificate('davi-moreira')
const documents = ['one', 'two', 'three'].map((text) => Buffer.from(text))
const hashOf = (bytes: Uint8Array, digest = 'sha256') => createHash(digest).update(bytes).digest()
const [first] = documents as [Buffer, Buffer, Buffer]

const order = (certificate: typeof rsa, of: readonly Buffer[] = documents, digest: DigestName = 'SHA-256') => ({
  certificate: { alias: 'a', der: certificate.x509.raw },
  hashes: { digest, values: of.map((bytes) => hashOf(bytes, digest.replace('-', ''))) },
})

const signed = ({ key }: typeof rsa, of: readonly Buffer[] = documents) =>
  of.map((bytes) => sign('sha256', bytes, key.privateKey))

describe('signatures are handed out', () => {
  test.each([
    ['RSA', rsa],
    ['ECDSA', ec],
  ])('when each fits its hash and the certificate: %s', (_, certificate) => {
    const signatures = signed(certificate)
    expect(verifiedSignatures(order(certificate), signatures)).toEqual(signatures)
  })

  test('in DER, also where ECDSA comes as r and s side by side', () => {
    const plain = sign('sha256', first, { key: ec.key.privateKey, dsaEncoding: 'ieee-p1363' })
    const [signature] = verifiedSignatures(order(ec, [first]), [plain])
    expect(signature![0]).toBe(0x30)
    expect(verifiedSignatures(order(ec, [first]), [signature!])).toEqual([signature])
  })

  test.each([
    ['RSA', rsa],
    ['ECDSA', ec],
  ])('in the order of the hashes where they are matched: %s', (_, certificate) => {
    const signatures = signed(certificate)
    expect(matchedSignatures(order(certificate), signatures.toReversed())).toEqual(signatures)
    expect(matchedSignatures(order(certificate), signatures)).toEqual(signatures)
  })

  test('each once, where one hash stands there twice', () => {
    const twice = [first, first]
    const signatures = signed(ec, twice)
    expect(new Set(matchedSignatures(order(ec, twice), signatures)).size).toBe(2)
    expect(() => matchedSignatures(order(ec, twice), [signatures[0]!])).toThrow(
      expect.objectContaining({ kind: 'signature-wrong', diagnosis: 'A signature is missing.' }),
    )
  })
})

describe('a wrong signature is told by its mistake', () => {
  const { privateKey } = rsa.key
  const pad = (block: Uint8Array) => privateEncrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, block)

  test.each([
    ['the bare digest', pad(hashOf(first)), 'The bare digest was signed, without its DigestInfo.'],
    ['hashed again', sign('sha256', hashOf(first), privateKey), 'The digest was hashed once more.'],
    [
      'the text hashed',
      sign('sha256', Buffer.from(hashOf(first).toString('base64')), privateKey),
      'The text of the digest was hashed.',
    ],
    ['something else', sign('sha256', Buffer.from('else'), privateKey), 'Another digest was signed.'],
    ['no structure', pad(Buffer.from('nothing')), 'What was signed is neither a DigestInfo nor the digest.'],
    [
      'another key',
      sign('sha256', first, running.pki.certificate('bruno-lima').key.privateKey),
      'Another key made it, or it is no PKCS#1 v1.5 signature.',
    ],
    ['no signature', Buffer.from('x'), 'Another key made it, or it is no PKCS#1 v1.5 signature.'],
  ])('%s', (_, signature, diagnosis) => {
    const problem = expect.objectContaining({ kind: 'signature-wrong', diagnosis })
    expect(() => verifiedSignatures(order(rsa, [first]), [signature])).toThrow(problem)
    expect(() => matchedSignatures(order(rsa, [first]), [signature])).toThrow(problem)
  })

  test('the digest under the name of another algorithm', () => {
    const info = Buffer.concat([Buffer.from('3031300d060960864801650304020305000420', 'hex'), hashOf(first)])
    expect(() => verifiedSignatures(order(rsa, [first]), [pad(info)])).toThrow(
      expect.objectContaining({
        diagnosis:
          'The digest was signed under the algorithm 2.16.840.1.101.3.4.2.3 instead of 2.16.840.1.101.3.4.2.1.',
      }),
    )
  })

  test('a signature that is missing', () => {
    expect(() => verifiedSignatures(order(rsa), signed(rsa).slice(0, 2))).toThrow(
      expect.objectContaining({ kind: 'signature-wrong' }),
    )
  })
})
