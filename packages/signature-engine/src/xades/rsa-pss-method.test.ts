// RSA-PSS with parameters in XML (RFC 9231 §2.3.9, before it RFC 6931 §2.3.10): xmlsec1 does not have it yet, openssl
// makes and checks the values.
import { constants, createHash, verify } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { signXades, validateXades } from './index.ts'

let demo: DemoSigners
beforeAll(async () => {
  demo = await demoSignersOfToday()
})

const content = Buffer.from('Contrato de prestação de serviços\n')
const DS = 'http://www.w3.org/2000/09/xmldsig#'
const ENC = 'http://www.w3.org/2001/04/xmlenc#'
const MORE = 'http://www.w3.org/2007/05/xmldsig-more#'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const digestUris = {
  sha1: `${DS}sha1`,
  sha256: `${ENC}sha256`,
  sha384: 'http://www.w3.org/2001/04/xmldsig-more#sha384',
  sha512: `${ENC}sha512`,
}
type Digest = keyof typeof digestUris

interface Made {
  readonly digest?: Digest
  readonly mask?: Digest
  readonly salt?: number
}

const method = (digest: Digest) => `<ds:DigestMethod Algorithm="${digestUris[digest]}"></ds:DigestMethod>`
const mask = (digest: Digest, algorithm = `${MORE}MGF1`) =>
  `<pss:MaskGenerationFunction Algorithm="${algorithm}">${method(digest)}</pss:MaskGenerationFunction>`
const salt = (text: string) => `<pss:SaltLength>${text}</pss:SaltLength>`
const trailer = (text: string) => `<pss:TrailerField>${text}</pss:TrailerField>`
const params = (...fields: readonly string[]) =>
  `<pss:RSAPSSParams xmlns:pss="${MORE}">${fields.join('')}</pss:RSAPSSParams>`

/** ds:SignedInfo in canonical form, over the content under this name. */
const signedInfo = (parameters: string) =>
  `<ds:SignedInfo xmlns:ds="${DS}"><ds:CanonicalizationMethod Algorithm="${EXCLUSIVE}"></ds:CanonicalizationMethod>` +
  `<ds:SignatureMethod Algorithm="${MORE}rsa-pss">${parameters}</ds:SignatureMethod>` +
  `<ds:Reference URI="contrato.txt">${method('sha256')}<ds:DigestValue>${createHash('sha256').update(content).digest('base64')}` +
  '</ds:DigestValue></ds:Reference></ds:SignedInfo>'

/** A signature whose value openssl made with these parameters, whatever the document says of them. */
async function made(parameters: string, { digest = 'sha256', mask: of = digest, salt: length = 32 }: Made) {
  const folder = temporaryFolder()
  const issued = demo.pki.certificate('ana-souza')
  const text = signedInfo(parameters)
  writeFileSync(join(folder, 'input'), text)
  writeFileSync(join(folder, 'key.pem'), issued.key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const options = ['rsa_padding_mode:pss', `rsa_mgf1_md:${of}`, `rsa_pss_saltlen:${length}`]
  const args = [...options.flatMap((option) => ['-sigopt', option]), '-sign', 'key.pem', '-out', 'value', 'input']
  const run = await openssl(['dgst', `-${digest}`, ...args], { folder })
  expect(run.ok, run.text).toBe(true)
  return Buffer.from(
    `<ds:Signature xmlns:ds="${DS}">${text}` +
      `<ds:SignatureValue>${readFileSync(join(folder, 'value')).toString('base64')}</ds:SignatureValue><ds:KeyInfo>` +
      `<ds:X509Data><ds:X509Certificate>${issued.der.toString('base64')}</ds:X509Certificate></ds:X509Data>` +
      '</ds:KeyInfo></ds:Signature>',
  )
}

async function judged(signature: Uint8Array) {
  const { signatures } = await validateXades(signature, { judge: demo.judge, now: new Date(), content })
  return signatures[0]!
}

const FULL = params(method('sha256'), mask('sha256'), salt('32'), trailer('1'))

describe('parameters of RSA-PSS in XML', () => {
  it.each<[string, string, Made, string]>([
    ['left out', '', {}, 'RSA-PSS-SHA256'],
    ['empty', params(), {}, 'RSA-PSS-SHA256'],
    ['given in full', FULL, {}, 'RSA-PSS-SHA256'],
    ['of a longer digest', params(method('sha512'), mask('sha512')), { digest: 'sha512', salt: 64 }, 'RSA-PSS-SHA512'],
    [
      'with a digest of their own in the mask',
      params(method('sha384'), mask('sha1'), salt('20')),
      { digest: 'sha384', mask: 'sha1', salt: 20 },
      'RSA-PSS-SHA384-MGF1-SHA1-SALT-20',
    ],
    ['without salt', params(salt(' 0 ')), { salt: 0 }, 'RSA-PSS-SHA256-MGF1-SHA256-SALT-0'],
    [
      'whose mask is SHA-256 unless it is said',
      params(method('sha512'), salt('64')),
      { digest: 'sha512', mask: 'sha256', salt: 64 },
      'RSA-PSS-SHA512-MGF1-SHA256-SALT-64',
    ],
  ])('%s are honoured', async (_what, parameters, options, algorithm) => {
    const signature = await judged(await made(parameters, options))
    expect(signature).toMatchObject({ algorithm, integrity: { signature: { state: 'passed' } } })
  })

  it.each<[string, string, Made]>([
    ['another salt', FULL, { salt: 20 }],
    ['another mask', FULL, { mask: 'sha1' }],
    ['another digest', FULL, { digest: 'sha512', mask: 'sha256' }],
    ['another salt than the usual one', '', { salt: 20 }],
  ])('that say %s than the signature was made with make it wrong', async (_what, parameters, options) => {
    const signature = await judged(await made(parameters, options))
    expect(signature).toMatchObject({ indication: 'invalid', integrity: { signature: { state: 'failed' } } })
  })

  it.each<[string, string]>([
    ['another trailer', params(trailer('2'))],
    ['a salt that is no number', params(salt('-1'))],
    ['a salt beyond reason', params(salt('99999'))],
    ['a mask that is not MGF1', params(mask('sha256', `${MORE}MGF2`))],
    ['an unknown digest', params(`<ds:DigestMethod Algorithm="${ENC}sha257"></ds:DigestMethod>`)],
    ['an unknown digest in the mask', params(mask('sha256').replace('sha256', 'sha257'))],
    ['a field that is not known', params('<pss:Other></pss:Other>')],
    ['two sets of them', FULL + FULL],
    ['another element', `<ds:Object></ds:Object>`],
  ])('with %s are refused: nothing is said of the signature', async (_what, parameters) => {
    const { indication, integrity, findings } = await judged(await made(parameters, {}))
    expect(indication).toBe('indeterminate')
    expect(integrity.signature).toEqual({ state: 'not-checked', reason: 'algorithm-unknown' })
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'algorithm-unknown', details: { algorithm: `${MORE}rsa-pss` } }),
    )
  })

  it.each([
    ['RSA-PSS', 'sha256', 32],
    ['RSA-PSS-SHA384', 'sha384', 48],
  ] as const)('are written for a key of kind %s, and openssl accepts the value', async (kind, digest, saltLength) => {
    const signer = await demo.signer(kind)
    const options = { now: new Date(), packaging: 'detached', uri: 'contrato.txt' } as const
    const signed = (await signXades(content, signer, options)).toString()
    const [info] = /<ds:SignedInfo>.*<\/ds:SignedInfo>/s.exec(signed) as unknown as [string]
    const [, value] = /<ds:SignatureValue[^>]*>([^<]*)</.exec(signed) as unknown as [string, string]
    const key = { key: signer.certificate.publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }
    const input = Buffer.from(info.replace('<ds:SignedInfo>', `<ds:SignedInfo xmlns:ds="${DS}">`))
    expect(verify(digest, input, key, Buffer.from(value, 'base64'))).toBe(true)
    expect((await judged(Buffer.from(signed))).indication).toBe('valid')
  })
})
