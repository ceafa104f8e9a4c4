import { hash, webcrypto } from 'node:crypto'
import { octetString, oid, sequence, setOf, time } from '@chancela/signature-engine/der'
import * as pkijs from 'pkijs'
import type { MakeWork } from '../contestants.ts'
import { requireDetachedCms } from '../outside-judges.ts'
import type { Sample } from '../sample-documents.ts'

/** `pkijs` SignedData: detached, with the signed attributes every signature needs. */
export const signWithPkijs =
  (sample: Sample): MakeWork =>
  async ({ rsa: { certificate, chain, privateKey }, root, now }) => {
    const content = sample()
    const engine = new pkijs.CryptoEngine({ name: 'node', crypto: webcrypto })
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
    const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' })
    const key = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign'])
    const certificates = [certificate, ...chain].map(({ der }) => pkijs.Certificate.fromBER(der))
    return {
      once: () => sign({ content, certificates, key, engine, now }),
      check: (cms) => requireDetachedCms(cms, content, root),
    }
  }

interface Signing {
  readonly content: Buffer
  readonly certificates: pkijs.Certificate[]
  readonly key: webcrypto.CryptoKey
  readonly engine: pkijs.CryptoEngine
  readonly now: Date
}

async function sign({ content, certificates, key, engine, now }: Signing): Promise<Uint8Array> {
  const { issuer, serialNumber } = certificates[0]!
  const signedAttrs = new pkijs.SignedAndUnsignedAttributes({ type: 0, attributes: attributes(content, now) })
  const sid = new pkijs.IssuerAndSerialNumber({ issuer, serialNumber })
  const signed = new pkijs.SignedData({
    version: 1,
    encapContentInfo: new pkijs.EncapsulatedContentInfo({ eContentType: DATA }),
    signerInfos: [new pkijs.SignerInfo({ version: 1, sid, signedAttrs })],
    certificates,
  })
  await signed.sign(key, 0, 'SHA-256', content, engine)
  const contentInfo = new pkijs.ContentInfo({ contentType: SIGNED_DATA, content: signed.toSchema(true) })
  return new Uint8Array(contentInfo.toSchema().toBER())
}

const DATA = '1.2.840.113549.1.7.1'
const SIGNED_DATA = '1.2.840.113549.1.7.2'

/** contentType, signingTime, messageDigest (RFC 5652 §11). */
const attributes = (content: Buffer, now: Date): pkijs.Attribute[] =>
  [
    sequence(oid('1.2.840.113549.1.9.3'), setOf(oid(DATA))),
    sequence(oid('1.2.840.113549.1.9.5'), setOf(time(now))),
    sequence(oid('1.2.840.113549.1.9.4'), setOf(octetString(hash('sha256', content, 'buffer')))),
  ].map((der) => pkijs.Attribute.fromBER(der))
