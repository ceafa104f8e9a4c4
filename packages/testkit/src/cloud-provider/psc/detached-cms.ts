import { createHash } from 'node:crypto'
import { type Der, implicit, integer, nothing, octetString, oid, sequence, setOf } from '@chancela/signature-engine/der'
import { type IssuedCertificate, issuerOf, serialOf } from '../../demo-pki/certificate.ts'
import { attribute, DATA, signedData, signingCertificateV2 } from '../../demo-pki/signed-data.ts'
import { type Digest, digests } from '../sign-hash.ts'

/** The parts of a CMS signature when only the content's digest is available. */
interface DetachedContent {
  /** The signer's first. */
  readonly certificates: readonly IssuedCertificate[]
  readonly digest: Digest
  readonly hash: Buffer
  /** The raw signature over a digest of the same algorithm. */
  readonly sign: (hash: Buffer) => Promise<Buffer>
}

/** RFC 5652: a signature without its content, over the attributes a basic CAdES has. */
export async function detachedCms({ certificates, digest, hash, sign }: DetachedContent): Promise<Der> {
  const signer = certificates[0]!
  const digestAlgorithm = sequence(oid(digests[digest].oid))
  const attributes = setOf(
    attribute('1.2.840.113549.1.9.3', oid(DATA)),
    attribute('1.2.840.113549.1.9.4', octetString(hash)),
    attribute('1.2.840.113549.1.9.16.2.47', signingCertificateV2(signer)),
  )
  const signerInfo = sequence(
    integer(1),
    sequence(issuerOf(signer), integer(serialOf(signer))),
    digestAlgorithm,
    // RFC 5652 §5.4: the signature covers the attributes as SET OF; the message stores them under [0].
    implicit(0, attributes),
    signatureAlgorithm(signer, digest),
    octetString(await sign(createHash(digest).update(attributes).digest())),
  )
  const ders = certificates.map(({ der }) => der)
  return signedData(1, setOf(digestAlgorithm), sequence(oid(DATA)), ders, setOf(signerInfo))
}

const ecdsaWith: Readonly<Record<Digest, string>> = {
  sha1: '1.2.840.10045.4.1',
  sha256: '1.2.840.10045.4.3.2',
  sha384: '1.2.840.10045.4.3.3',
  sha512: '1.2.840.10045.4.3.4',
}

/** RFC 5754 §3.2: for RSA the key's own name is enough, the digest is a separate field. */
const signatureAlgorithm = ({ key }: IssuedCertificate, digest: Digest): Der =>
  key.kind.startsWith('RSA') ? sequence(oid('1.2.840.113549.1.1.1'), nothing) : sequence(oid(ecdsaWith[digest]))
