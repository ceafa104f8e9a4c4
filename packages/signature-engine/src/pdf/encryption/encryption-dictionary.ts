import { damaged, refusePdf } from '../errors.ts'
import { isDict, isInteger, isString, nameOf, type PdfDict, type PdfObject } from '../pdf-object.ts'
import type { CryptMethod } from './crypt-method.ts'

/** /Encrypt of a file with the standard security handler (ISO 32000-2 tables 20 and 21). */
export interface EncryptionTerms {
  /** /R, which decides how passwords become keys. */
  readonly revision: 2 | 3 | 4 | 5 | 6
  /** Of the file's key. */
  readonly keyBytes: number
  /** /O, /U, /OE, /UE and /Perms, as long as the revision uses them. */
  readonly owner: Uint8Array
  readonly user: Uint8Array
  readonly ownerKey: Uint8Array
  readonly userKey: Uint8Array
  readonly sealedPermissions: Uint8Array
  /** /P. */
  readonly permissions: number
  readonly encryptsMetadata: boolean
  readonly strings: CryptMethod
  readonly streams: CryptMethod
  readonly embeddedFiles: CryptMethod
  /** The method of a named crypt filter. */
  readonly methodOf: (filter: string) => CryptMethod
}

type Resolve = (value: PdfObject | undefined) => PdfObject

/** The versions of the algorithm (/V), the revisions that go with each, and the bytes of their keys. */
const versions: Readonly<Record<number, { readonly revisions: readonly number[]; readonly keyBytes?: number }>> = {
  1: { revisions: [2, 3], keyBytes: 5 },
  2: { revisions: [2, 3] },
  4: { revisions: [4], keyBytes: 16 },
  5: { revisions: [5, 6], keyBytes: 32 },
}

/** Reads /Encrypt. Handlers other than the standard one, such as those for certificates, are refused by their name. */
export function readEncryption(dict: PdfDict, resolve: Resolve): EncryptionTerms {
  const value = (key: string) => resolve(dict.get(key))
  const handler = nameOf(value('Filter')) ?? ''
  if (handler !== 'Standard') throw unsupported(`the security handler ${handler}`)
  const [version, revision] = [value('V'), value('R')]
  const known = isInteger(version) && Object.hasOwn(versions, version) ? versions[version] : undefined
  if (!known || !isInteger(revision) || !known.revisions.includes(revision))
    throw unsupported(`the encryption version ${String(version)}, revision ${String(revision)}`)
  const bytes = (key: string, length: number) => bytesOf(value(key), key, length)
  const isAes256 = revision >= 5
  const permissions = value('P')
  if (typeof permissions !== 'number') throw damaged(0, 'the encryption dictionary has no permissions')
  return {
    revision: revision as EncryptionTerms['revision'],
    keyBytes: known.keyBytes ?? keyBytes(value('Length')),
    owner: bytes('O', isAes256 ? 48 : 32),
    user: bytes('U', isAes256 ? 48 : 32),
    ownerKey: bytes('OE', isAes256 ? 32 : 0),
    userKey: bytes('UE', isAes256 ? 32 : 0),
    sealedPermissions: bytes('Perms', isAes256 ? 16 : 0),
    // Some writers give the 32 bits as an unsigned number.
    permissions: permissions | 0,
    encryptsMetadata: revision < 4 || value('EncryptMetadata') !== false,
    ...(revision >= 4 ? cryptFilters(dict, resolve) : RC4_EVERYWHERE),
  }
}

const unsupported = (reason: string) => refusePdf('pdf.unsupported', { reason })

type Methods = Pick<EncryptionTerms, 'strings' | 'streams' | 'embeddedFiles' | 'methodOf'>

const RC4_EVERYWHERE: Methods = { strings: 'rc4', streams: 'rc4', embeddedFiles: 'rc4', methodOf: () => 'rc4' }

/** Bytes of a string, without the zeros that some writers put behind them. */
function bytesOf(value: PdfObject, key: string, length: number): Uint8Array {
  if (length === 0) return new Uint8Array()
  if (!isString(value) || value.bytes.length < length)
    throw damaged(0, `/${key} of the encryption dictionary is too short`)
  return value.bytes.subarray(0, length)
}

/** /Length, in bits: 40 when it is not there. */
function keyBytes(length: PdfObject): number {
  if (length === null) return 5
  if (!isInteger(length) || length % 8 !== 0 || length < 40 || length > 128)
    throw unsupported(`an encryption key of ${String(length)} bits`)
  return length / 8
}

/** Names of methods (/CFM, ISO 32000-2 table 25). */
const methods: Readonly<Record<string, CryptMethod>> = {
  None: 'identity',
  V2: 'rc4',
  AESV2: 'aes-128',
  AESV3: 'aes-256',
}

function cryptFilters(dict: PdfDict, resolve: Resolve): Methods {
  const filters = resolve(dict.get('CF'))
  const methodOf = (filter: string): CryptMethod => {
    if (filter === 'Identity') return 'identity'
    const named = isDict(filters) ? resolve(filters.get(filter)) : null
    const method = isDict(named) ? (nameOf(resolve(named.get('CFM'))) ?? 'None') : filter
    if (!isDict(named) || !Object.hasOwn(methods, method)) throw unsupported(`the crypt filter ${method}`)
    return methods[method]!
  }
  const chosen = (key: string, otherwise: string) => methodOf(nameOf(resolve(dict.get(key))) ?? otherwise)
  const streamFilter = nameOf(resolve(dict.get('StmF'))) ?? 'Identity'
  const isAes256 = resolve(dict.get('V')) === 5
  const found = {
    strings: chosen('StrF', 'Identity'),
    streams: chosen('StmF', 'Identity'),
    embeddedFiles: chosen('EFF', streamFilter),
  }
  const fits = (method: CryptMethod) => method === 'identity' || (method === 'aes-256') === isAes256
  for (const method of Object.values(found))
    if (!fits(method)) throw unsupported(`${method} in this encryption version`)
  return { ...found, methodOf }
}
