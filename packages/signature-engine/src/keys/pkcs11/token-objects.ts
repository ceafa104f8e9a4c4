import { EngineError } from '../../errors/engine-error.ts'
import { Certificate } from '../../x509/certificate.ts'
import { answerOf, attributes, type Cryptoki, type CryptokiHandle, constants } from './cryptoki.ts'

/** A private key on the token, with the certificate that shares its id. */
export interface TokenKey {
  readonly handle: CryptokiHandle
  /** CKA_ID in hexadecimal. */
  readonly id: string
  readonly label: string
  /** The token requires the PIN again for every signature. */
  readonly alwaysAuthenticate: boolean
  readonly certificate: Certificate
}

export interface TokenObjects {
  readonly keys: readonly TokenKey[]
  /** Every certificate on the token, the issuers' included. */
  readonly certificates: readonly Certificate[]
}

// A token holds few objects; a module that never ends must not block.
const MAX_OBJECTS = 10_000

/** A certificate on the token. */
export interface TokenCertificate {
  /** CKA_ID in hexadecimal; that of its key. */
  readonly id: string
  readonly label: string
  readonly certificate: Certificate
}

/** Certificates the session sees: without a login the public ones, which they are on every known card. */
export const readCertificateObjects = (cryptoki: Cryptoki, session: CryptokiHandle): TokenCertificate[] =>
  find(cryptoki, session, constants.certificateObject).flatMap((handle) => {
    const { id, label, value } = read(cryptoki, session, handle, ['id', 'label', 'value'])
    const certificate = readable(value)
    return certificate ? [{ id: id.toString('hex'), label: label.toString('utf8'), certificate }] : []
  })

/** Keys and certificates the session sees. */
export function readObjects(cryptoki: Cryptoki, session: CryptokiHandle): TokenObjects {
  const certificates = readCertificateObjects(cryptoki, session)
  const keys = find(cryptoki, session, constants.privateKeyObject).flatMap((handle) => {
    const bytes = read(cryptoki, session, handle, ['id', 'label', 'alwaysAuthenticate'])
    const [id, label] = [bytes.id.toString('hex'), bytes.label.toString('utf8')]
    const holder = certificates.find((held) => (id === '' ? held.label === label : held.id === id))
    const alwaysAuthenticate = bytes.alwaysAuthenticate[0] === 1
    return holder ? [{ handle, id, label, alwaysAuthenticate, certificate: holder.certificate }] : []
  })
  return { keys, certificates: certificates.map(({ certificate }) => certificate) }
}

function find(cryptoki: Cryptoki, session: CryptokiHandle, type: number): CryptokiHandle[] {
  cryptoki.C_FindObjectsInit(session, [{ type: attributes.class, value: type }])
  const found: CryptokiHandle[] = []
  try {
    for (let batch = cryptoki.C_FindObjects(session, 64); batch.length > 0 && found.length < MAX_OBJECTS; ) {
      found.push(...batch)
      batch = cryptoki.C_FindObjects(session, 64)
    }
  } finally {
    cryptoki.C_FindObjectsFinal(session)
  }
  return found
}

type AttributeName = keyof typeof attributes

/** One attribute at a time: otherwise a module that lacks one fails the whole call. */
function read<Name extends AttributeName>(
  cryptoki: Cryptoki,
  session: CryptokiHandle,
  object: CryptokiHandle,
  names: readonly Name[],
): Record<Name, Buffer> {
  return Object.fromEntries(
    names.map((name) => [name, readOne(cryptoki, session, object, attributes[name])]),
  ) as Record<Name, Buffer>
}

function readOne(cryptoki: Cryptoki, session: CryptokiHandle, object: CryptokiHandle, type: number): Buffer {
  try {
    const [attribute] = cryptoki.C_GetAttributeValue(session, object, [{ type }])
    return Buffer.from(attribute?.value ?? [])
  } catch (error) {
    if (absentAttribute.has(answerOf(error) ?? 0)) return Buffer.alloc(0)
    throw error
  }
}

/** CKR_ATTRIBUTE_SENSITIVE, CKR_ATTRIBUTE_TYPE_INVALID. */
const absentAttribute = new Set([0x11, 0x12])

/** Attribute certificates and damaged ones are on tokens too; they are no signing certificates. */
function readable(der: Buffer): Certificate | undefined {
  try {
    const certificate = Certificate.read(der)
    void certificate.publicKey
    return certificate
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return undefined
  }
}
