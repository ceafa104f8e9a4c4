import { verify } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, it } from 'vitest'
import { digest } from '../crypto/digest.ts'
import { readDer } from '../der/der-value.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { type CmsSigner, cmsSizeBound, completeCms, contentDigestName, prepareCms } from './cms-template.ts'
import { attributeOids } from './oids.ts'
import { signatureValueOf } from './rewrite-signed-data.ts'
import { attributesOf, readSignedData } from './signed-data.ts'
import { type DemoSigners, digestsOf, keyKinds } from './test-support/demo-signers.ts'
import { demoSignersOfToday } from './test-support/demo-signers-of-today.ts'
import { opensslVerifies } from './test-support/openssl-cms.ts'

let demo: DemoSigners
beforeAll(async () => {
  demo = await demoSignersOfToday()
})

const content = Buffer.from('Contrato de prestação de serviços.')
const signingTime = new Date('2026-05-06T07:08:09.123Z')
const policy = {
  oid: '2.16.76.1.7.1.1.2.4',
  hash: Buffer.alloc(32, 7),
  uri: 'http://politicas.icpbrasil.gov.br/PA.der',
}

async function signed(signer: DigestSigner, options: Partial<CmsSigner> = {}, attached = false): Promise<Buffer> {
  const { certificate, chain } = signer
  const name = contentDigestName({ certificate, ...options })
  const prepared = prepareCms({ certificate, chain, signingTime, ...options, contentDigest: digest(name, content) })
  const { toSign, algorithm } = prepared
  const signature = await signer.sign({ toSign, algorithm, digest: digest(algorithm.digest, toSign) })
  return completeCms(prepared, signature, attached ? content : undefined)
}

const typesIn = (cms: Buffer): string[] =>
  (readSignedData(cms).signers[0]?.signedAttributes ?? []).map(({ oid }) => oid)

describe('a CMS signature', () => {
  // openssl supports Ed25519 in CMS since version 3.2; what its older versions can check is checked below.
  const known = keyKinds.filter((kind) => !kind.startsWith('Ed'))
  it.each(known.flatMap((key) => digestsOf(key).map((name) => [key, name] as const)))(
    'of a key of kind %s with %s is accepted by openssl, detached and attached',
    async (key, name) => {
      const signer = await demo.signer(key)
      const roots = demo.pki.trustAnchors()
      const detached = await opensslVerifies(await signed(signer, { digest: name, policy }), { roots, content })
      expect(detached.ok, detached.text).toBe(true)
      const attached = await opensslVerifies(await signed(signer, { digest: name }, true), { roots })
      expect(attached.ok, attached.text).toBe(true)
      expect(attached.stdout.equals(content)).toBe(true)
    },
  )

  it('of an Ed25519 key is over attributes with a SHA-512 digest, and openssl accepts the signature over them', async () => {
    const signer = await demo.signer('Ed25519')
    const { signers } = readSignedData(await signed(signer, { digest: 'sha256' }))
    const [info] = signers
    expect(info?.digest).toBe('sha512')
    expect(info?.signatureAlgorithm?.name).toBe('Ed25519')
    const folder = temporaryFolder()
    const pem = signer.certificate.publicKey.export({ type: 'spki', format: 'pem' })
    writeFileSync(join(folder, 'key.pem'), pem)
    writeFileSync(join(folder, 'attributes'), info!.toBeSigned!)
    writeFileSync(join(folder, 'signature'), info!.signature)
    const args = ['pkeyutl', '-verify', '-pubin', '-inkey', 'key.pem', '-rawin', '-in', 'attributes']
    const { ok, text } = await openssl([...args, '-sigfile', 'signature'], { folder })
    expect(ok, text).toBe(true)
  })

  it('names its attributes as the profiles want them: with a time in CAdES, without in PDF', async () => {
    const signer = await demo.signer('P-256')
    const [inCades, inPdf] = [await signed(signer), await signed(signer, { signingTime: undefined })]
    expect(typesIn(inCades)).toContain(attributeOids.signingTime)
    expect(typesIn(inPdf)).toEqual([
      attributeOids.contentType,
      attributeOids.messageDigest,
      attributeOids.signingCertificateV2,
    ])
    const [time] = attributesOf(readSignedData(inCades).signers[0]?.signedAttributes, attributeOids.signingTime)
    expect(time?.values[0]?.time()).toEqual(new Date('2026-05-06T07:08:09Z'))
  })

  it('writes the time as GeneralizedTime from 2050 on', async () => {
    const signer = await demo.signer('P-256')
    const late = await signed(signer, { signingTime: new Date('2051-02-03T04:05:06Z') })
    const [time] = attributesOf(readSignedData(late).signers[0]?.signedAttributes, attributeOids.signingTime)
    expect(time?.values[0]?.raw.toString('latin1')).toContain('20510203040506Z')
  })

  it('leaves the hash algorithm of the certificate out for SHA-256 and writes it for SHA-512', async () => {
    const signer = await demo.signer('P-256')
    const essOf = async (name: 'sha256' | 'sha512') => {
      const { signers } = readSignedData(await signed(signer, { digest: name }))
      const [attribute] = attributesOf(signers[0]?.signedAttributes, attributeOids.signingCertificateV2)
      return attribute!.values[0]!.sequence().next().sequence().next().members()
    }
    expect((await essOf('sha256')).map(({ tag }) => tag)).toEqual([0x04, 0x30])
    expect((await essOf('sha512')).map(({ tag }) => tag)).toEqual([0x30, 0x04, 0x30])
  })

  it('is DER: sets are sorted, and hash identifiers have no parameters', async () => {
    const cms = await signed(await demo.signer('RSA-2048'), { policy })
    const { signers, certificateChoices, digestAlgorithms } = readSignedData(cms)
    const attributes = signers[0]!.signedAttributes!.map(({ raw }) => raw)
    expect(attributes).toEqual(attributes.toSorted(Buffer.compare))
    expect(certificateChoices).toEqual(certificateChoices.toSorted(Buffer.compare))
    expect(readDer(digestAlgorithms[0]!).members()).toHaveLength(1)
  })

  it('carries the chain but not the root', async () => {
    const { certificate, chain } = await demo.signer('P-256')
    const cms = await signed(await demo.signer('P-256'))
    const names = readSignedData(cms).certificates.map(({ subject }) => subject.commonName)
    expect(names).toHaveLength(chain.length)
    expect(names).not.toContain(demo.root.subject.commonName)
    expect(certificate.selfIssued).toBe(false)
  })

  it.each(keyKinds)('with a key of kind %s is never longer than the bound', async (key) => {
    const signer = await demo.signer(key)
    const { certificate, chain } = signer
    const bound = cmsSizeBound({ certificate, chain, policy, signingTime })
    for (let round = 0; round < 4; round++) {
      const { length } = await signed(signer, { policy })
      expect(length).toBeLessThanOrEqual(bound)
      expect(bound - length).toBeLessThan(16)
    }
  })

  it('takes an ECDSA signature as r‖s too, and writes SEQUENCE { r, s }', async () => {
    const signer = await demo.signer('P-256')
    const { certificate, chain } = signer
    const prepared = prepareCms({ certificate, chain, contentDigest: digest('sha256', content) })
    const { ecdsaToFixedWidth } = await import('../crypto/ecdsa-encoding.ts')
    const der = await signer.sign({ ...prepared, digest: digest('sha256', prepared.toSign) })
    const value = signatureValueOf(completeCms(prepared, ecdsaToFixedWidth(certificate.publicKey, der)))
    expect(verify('sha256', prepared.toSign, certificate.publicKey, value)).toBe(true)
  })

  it('is refused over a digest of the wrong length', async () => {
    const { certificate, chain } = await demo.signer('P-256')
    expect(() => prepareCms({ certificate, chain, contentDigest: Buffer.alloc(20) })).toThrow(
      expect.objectContaining({ code: 'cms.wrong-digest-length' }),
    )
  })
})
