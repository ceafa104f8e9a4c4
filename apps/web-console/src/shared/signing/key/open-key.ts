import forge from 'node-forge'
import { type Binary, parse } from './asn1.ts'
import { KeyProblem } from './key-problem.ts'
import { binaryOf } from './password-encryption.ts'
import { readPfx } from './read-pfx.ts'

/** What the page shows and sends of a certificate. */
export interface KeyCertificate {
  /** DER, base64. */
  readonly certificate: string
  readonly name: string
  /** CPF or CNPJ, if the name contains one as ICP-Brasil writes it. */
  readonly identifier: string | undefined
  readonly issuer: string
  readonly notBefore: string
  readonly notAfter: string
}

/** A key that was opened, ready to sign. */
export interface OpenedKey {
  readonly certificate: KeyCertificate
  /** Signs a digest that the service computed (RFC 8017 §9.2, from step 2 on); base64. */
  sign(digest: string, algorithm: string): string
}

type PrivateKey = forge.pki.rsa.PrivateKey

/** Opens a PKCS#12 file. Everything happens locally: neither the file, nor the password, nor the key is uploaded. */
export async function openKey(file: Uint8Array, password: string): Promise<OpenedKey> {
  const { keys, certificates } = await readPfx(binaryOf(file), password)
  if (keys.length === 0) throw new KeyProblem('no-key')
  const key = keys.map(rsaKey).find((found) => found !== undefined)
  if (!key) throw new KeyProblem('not-rsa')
  const certificate = certificates.map(readCertificate).find((found) => found && isOf(key, found.parsed))
  if (!certificate) throw new KeyProblem('no-key')
  return {
    certificate: describe(certificate.der, certificate.parsed),
    sign: (digest, algorithm) => forge.util.encode64(key.sign(digested(digest, algorithm))),
  }
}

/** Undefined for a key of another algorithm. */
function rsaKey(privateKeyInfo: Binary): PrivateKey | undefined {
  try {
    return forge.pki.privateKeyFromAsn1(parse(privateKeyInfo)) as PrivateKey
  } catch {
    return undefined // for example an elliptic curve
  }
}

/** Undefined for a certificate of a key of another algorithm. */
function readCertificate(der: Binary): { der: Binary; parsed: forge.pki.Certificate } | undefined {
  try {
    return { der, parsed: forge.pki.certificateFromAsn1(parse(der)) }
  } catch {
    return undefined // for example an elliptic curve
  }
}

const isOf = (key: PrivateKey, { publicKey }: forge.pki.Certificate): boolean =>
  (publicKey as forge.pki.rsa.PublicKey).n.equals(key.n)

/** ICP-Brasil appends the CPF or CNPJ of the holder to the name. */
const NAME_AND_IDENTIFIER = /^(.*?):(\d{11}|\d{14})$/

function describe(der: Binary, { subject, issuer, validity }: forge.pki.Certificate): KeyCertificate {
  const commonName = nameIn(subject)
  const [, name = commonName, identifier = serialNumberIn(subject)] = NAME_AND_IDENTIFIER.exec(commonName) ?? []
  return {
    certificate: forge.util.encode64(der),
    name,
    identifier,
    issuer: nameIn(issuer),
    notBefore: validity.notBefore.toISOString(),
    notAfter: validity.notAfter.toISOString(),
  }
}

const nameIn = (name: forge.pki.Certificate['subject']): string => {
  const value = String(name.getField('CN')?.value ?? '')
  try {
    return forge.util.decodeUtf8(value)
  } catch {
    return value // the library has decoded this string type already
  }
}

/** Newer certificates have the CPF or CNPJ in an attribute of its own. */
const serialNumberIn = (subject: forge.pki.Certificate['subject']): string | undefined =>
  /^(\d{11}|\d{14})$/.exec(String(subject.getField({ type: SERIAL_NUMBER })?.value ?? ''))?.[0]

const SERIAL_NUMBER = '2.5.4.5'

const digests: Readonly<Record<string, { readonly algorithm: string; readonly bytes: number }>> = {
  'SHA-256': { algorithm: 'sha256', bytes: 32 },
  'SHA-384': { algorithm: 'sha384', bytes: 48 },
  'SHA-512': { algorithm: 'sha512', bytes: 64 },
}

/** A known digest in the form of the library's hash objects, because the library only signs its own hashes. */
function digested(digest: string, name: string): forge.md.MessageDigest {
  const known = digests[name]
  const bytes = forge.util.decode64(digest)
  if (!known || bytes.length !== known.bytes) throw new KeyProblem('unknown-digest')
  const { algorithm } = known
  return { algorithm, digest: () => forge.util.createBuffer(bytes) } as unknown as forge.md.MessageDigest
}
