// Signatures by DSA keys that leave their parameters to their issuer's: verified before there is a path.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { validateCades } from '../cades/index.ts'
import { digest } from '../crypto/digest.ts'
import { explicit, integer, octetString, oid, sequence, setOf, tlv } from '../der/der-writer.ts'
import { toPem } from '../der/pem.ts'
import { createJudge } from '../judgement/judge-certificate.ts'
import { at } from '../judgement/test-support/crafted-path.ts'
import { craftList } from '../revocation/test-support/crafted-list.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import { algorithmFor, authority, type Crafted, craft } from '../x509/test-support/crafted-certificate.ts'
import { dsaKeys, forgingKey, impostorKey } from '../x509/test-support/dsa-keys.ts'
import { digestIdentifiers } from './algorithm-identifiers.ts'
import { contentTypes } from './oids.ts'
import {
  contentTypeAttribute,
  messageDigestAttribute,
  signingCertificateAttribute,
  signingTimeAttribute,
} from './signed-attributes.ts'

const content = Buffer.from('Contrato de locação.')
const rootKeys = dsaKeys()
const root = craft({ subject: { CN: 'DSA root' }, keys: rootKeys, extensions: authority() })
const keys = dsaKeys()
const holder = craft({ subject: { CN: 'Holder' }, issuer: root, keys, publicKeyInfo: keys.bare })
/** A certificate of the same name and number whose key has its parameters, for openssl. */
const twin = craft({ subject: { CN: 'Holder' }, issuer: root, keys, serialNumber: holder.certificate.serialNumber })

const spare = generateKeyPairSync('ed25519').privateKey
const issuerWith = (publicKey: KeyObject) =>
  craft({
    subject: { CN: 'DSA root' },
    keys: { publicKey, privateKey: spare },
    issuer: craft({ subject: { CN: 'DSA root' }, extensions: authority() }),
    extensions: authority(),
  })

/** A CMS by the holder, with these certificates and the root's list. */
function signed(embedded: readonly Crafted[], key: KeyObject = keys.privateKey): Buffer {
  const { issuer, serialNumber } = holder.certificate
  const attributes = [
    contentTypeAttribute,
    messageDigestAttribute(digest('sha256', content)),
    signingCertificateAttribute(holder.certificate, 'sha256'),
    signingTimeAttribute(at),
  ]
  const signer = sequence(
    integer(1),
    sequence(issuer.der, tlv(0x02, serialNumber)),
    digestIdentifiers.sha256,
    tlv(0xa0, ...attributes.toSorted(Buffer.compare)),
    algorithmFor(key),
    octetString(sign('sha256', setOf(...attributes), key)),
  )
  const body = sequence(
    integer(1),
    setOf(digestIdentifiers.sha256),
    sequence(oid(contentTypes.data), explicit(0, octetString(content))),
    tlv(0xa0, ...embedded.map(({ certificate }) => certificate.der)),
    tlv(0xa1, craftList(root)),
    setOf(signer),
  )
  return sequence(oid(contentTypes.signedData), explicit(0, body))
}

async function judged(cms: Buffer) {
  const judge = createJudge({ anchors: TrustAnchors.of([root.certificate]) })
  const { signatures } = await validateCades(cms, { judge, now: at })
  const { indication, subIndication, integrity } = signatures[0]!
  return { indication, subIndication, signature: integrity.signature }
}

describe('a signature by a key without parameters', () => {
  test('is verified with those of the issuer beside it', async () => {
    const cms = signed([holder, root])
    expect(await judged(cms)).toEqual({ indication: 'valid', subIndication: null, signature: { state: 'passed' } })
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'signed'), cms)
    writeFileSync(join(folder, 'twin.pem'), toPem('CERTIFICATE', twin.certificate.der))
    const args = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', 'signed', '-noverify', '-nointern']
    expect((await openssl([...args, '-certfile', 'twin.pem'], { folder })).ok).toBe(true)
  })

  test('that another key made is wrong', async () => {
    const { indication, signature } = await judged(signed([holder, root], dsaKeys().privateKey))
    expect({ indication, signature }).toEqual({ indication: 'invalid', signature: { state: 'failed' } })
  })

  test('is not looked at where the file has no parameters, though the verifier has', async () => {
    expect(await judged(signed([holder]))).toMatchObject({
      indication: 'indeterminate',
      signature: { state: 'not-checked', reason: 'algorithm-unknown' },
    })
  })

  test('is not looked at where two issuers give it other parameters', async () => {
    const impostor = issuerWith(impostorKey(holder.certificate, rootKeys))
    expect(impostor.certificate.issued(holder.certificate)).toBe(true)
    expect(await judged(signed([holder, root, impostor]))).toMatchObject({
      indication: 'indeterminate',
      signature: { state: 'not-checked', reason: 'algorithm-unknown' },
    })
  })

  test('that anybody can make under parameters of his own has no path', async () => {
    const { generator, privateKey } = forgingKey(keys)
    const impostor = issuerWith(impostorKey(holder.certificate, rootKeys, generator))
    expect(await judged(signed([holder, impostor], privateKey))).toEqual({
      indication: 'indeterminate',
      subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
      signature: { state: 'passed' },
    })
    expect((await judged(signed([holder, impostor, root], privateKey))).indication).toBe('indeterminate')
  })
})
