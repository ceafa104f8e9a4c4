import { createDecipheriv } from 'node:crypto'
import { damaged, refusePdf } from '../errors.ts'
import { isArray, isDict, isString, type PdfDict, type PdfObject } from '../pdf-object.ts'
import { type EncryptionTerms, readEncryption } from './encryption-dictionary.ts'
import { accessWith, type FileAccess } from './file-key.ts'
import { ObjectCipher } from './object-cipher.ts'
import { type Operation, permits } from './permissions.ts'

/** How an encrypted file is read and written by somebody whose password it took. */
export interface FileEncryption {
  readonly cipher: ObjectCipher
  permits(operation: Operation): boolean
  /** Refuses what the author permits only to those who have the owner's password. */
  requirePermission(operation: Operation): void
}

type Resolve = (value: PdfObject | undefined) => PdfObject

/** What a cipher may decrypt of streams, in bytes: more than a file has only when its streams share them. */
const mostBytes = (fileLength: number): number => 4 * fileLength + 64 * 1024 * 1024

/** Opens the encryption of a file; without a password as a reader does, with the empty one. */
export function openEncryption(
  trailer: PdfDict,
  resolve: Resolve,
  { password, fileLength }: { readonly password: string | undefined; readonly fileLength: number },
): FileEncryption {
  const dict = resolve(trailer.get('Encrypt'))
  if (!isDict(dict)) throw damaged(0, 'the encryption dictionary is missing')
  const terms = readEncryption(dict, resolve)
  const access = accessWith(password ?? '', terms, firstId(trailer, resolve))
  if (!access) throw refusePdf(password === undefined ? 'pdf.encrypted' : 'pdf.password-wrong')
  const allowed = (operation: Operation): boolean =>
    access.isOwner || permits(permissionsOf(terms, access), terms.revision, operation)
  return {
    cipher: new ObjectCipher(access.key, terms, mostBytes(fileLength)),
    permits: allowed,
    requirePermission: (operation) => {
      if (!allowed(operation)) throw refusePdf('pdf.not-permitted', { operation })
    },
  }
}

/** The first half of /ID, which is part of the key up to revision 4. */
function firstId(trailer: PdfDict, resolve: Resolve): Uint8Array {
  const id = resolve(trailer.get('ID'))
  const first = isArray(id) ? resolve(id[0]) : null
  return isString(first) ? first.bytes : new Uint8Array()
}

/** /P, or what is sealed of it: /P itself can be changed without any password (ISO 32000-2 §7.6.4.4.12). */
function permissionsOf({ revision, sealedPermissions, permissions }: EncryptionTerms, { key }: FileAccess): number {
  if (revision < 5) return permissions
  const opened = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(sealedPermissions)
  return opened.toString('latin1', 9, 12) === 'adb' ? opened.readInt32LE(0) : permissions
}
