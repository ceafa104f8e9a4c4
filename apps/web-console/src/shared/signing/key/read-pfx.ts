// Parses a PKCS#12 file (RFC 7292 §4). Its MAC is not checked: decrypting shows whether the password is right.
import { type Binary, type Node, octets, oidOf, parse, parts, serialize } from './asn1.ts'
import { KeyProblem } from './key-problem.ts'
import { decrypt } from './password-encryption.ts'

export interface PfxContents {
  /** PrivateKeyInfo of each key. */
  readonly keys: readonly Binary[]
  /** DER of each certificate. */
  readonly certificates: readonly Binary[]
}

const contentTypes = { data: '1.2.840.113549.1.7.1', encrypted: '1.2.840.113549.1.7.6' }

const bagTypes = {
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
}

export async function readPfx(file: Binary, password: string): Promise<PfxContents> {
  const [, authSafe] = parts(parse(file))
  const safes = await Promise.all(parts(parse(dataIn(authSafe))).map((safe) => openSafe(safe, password)))
  const bags = await Promise.all(safes.flatMap((safe) => parts(parseOpened(safe))).map((bag) => openBag(bag, password)))
  return {
    keys: bags.flatMap(({ key }) => key ?? []),
    certificates: bags.flatMap(({ certificate }) => certificate ?? []),
  }
}

/** The OCTET STRING of a ContentInfo of plain data. */
function dataIn(contentInfo: Node | undefined): Binary {
  const [type, content] = parts(contentInfo)
  if (oidOf(type) !== contentTypes.data) throw new KeyProblem('not-pkcs12')
  return octets(parts(content)[0])
}

async function openSafe(contentInfo: Node, password: string): Promise<Binary> {
  const [type, content] = parts(contentInfo)
  if (oidOf(type) !== contentTypes.encrypted) return dataIn(contentInfo)
  const [, encryptedContentInfo] = parts(parts(content)[0])
  const [, algorithm, encrypted] = parts(encryptedContentInfo)
  if (!algorithm) throw new KeyProblem('not-pkcs12')
  return decrypt(algorithm, octets(encrypted), password)
}

/** A wrong password may still leave valid padding: then the decrypted bytes do not parse. */
function parseOpened(bytes: Binary): Node {
  try {
    return parse(bytes)
  } catch (cause) {
    throw new KeyProblem('wrong-password', { cause })
  }
}

async function openBag(bag: Node, password: string): Promise<{ key?: Binary; certificate?: Binary }> {
  const [type, value] = parts(bag)
  const [content] = parts(value)
  switch (oidOf(type)) {
    case bagTypes.key:
      return { key: serialize(content!) }
    case bagTypes.shroudedKey: {
      const [algorithm, encrypted] = parts(content)
      return { key: await decrypt(algorithm!, octets(encrypted), password) }
    }
    case bagTypes.certificate:
      return { certificate: octets(parts(parts(content)[1])[0]) }
    default:
      return {}
  }
}
