import { createDecipheriv } from 'node:crypto'
import type { DerValue } from '../../der/der-value.ts'
import type { DerivationBudget } from './derivation-budget.ts'
import { damaged, unsupported } from './errors.ts'
import { derivedFor, deriveNarrow, deriveWide, readPbkdf2, readSaltAndRounds } from './key-derivation.ts'
import type { PasswordForms } from './password-forms.ts'
import { decryptRc2Cbc } from './rc2.ts'

type Decrypt = (ciphertext: Uint8Array, key: Buffer, iv: Buffer) => Buffer | undefined

interface WideScheme {
  readonly name: string
  readonly keyBytes: number
  readonly decrypt: Decrypt
}

/** The password encryption of PKCS#12 itself (RFC 7292 appendix C): SHA-1, key and IV both from the password. */
const wideSchemes: Readonly<Record<string, WideScheme>> = {
  '1.2.840.113549.1.12.1.3': { name: '3DES', keyBytes: 24, decrypt: cbc('des-ede3-cbc') },
  '1.2.840.113549.1.12.1.4': {
    name: '3DES with two keys',
    keyBytes: 16,
    decrypt: (ciphertext, key, iv) => cbc('des-ede3-cbc')(ciphertext, Buffer.concat([key, key.subarray(0, 8)]), iv),
  },
  '1.2.840.113549.1.12.1.5': {
    name: 'RC2-128',
    keyBytes: 16,
    decrypt: (ciphertext, key, iv) => decryptRc2Cbc(ciphertext, key, 128, iv),
  },
  '1.2.840.113549.1.12.1.6': {
    name: 'RC2-40',
    keyBytes: 5,
    decrypt: (ciphertext, key, iv) => decryptRc2Cbc(ciphertext, key, 40, iv),
  },
}

const WIDE_IV_BYTES = 8
const PBES2 = '1.2.840.113549.1.5.13'

interface NarrowCipher {
  readonly keyBytes: number
  readonly ivBytes: number
  readonly decrypt: Decrypt
}

/** The ciphers PBES2 is used with (RFC 8018 appendix B.2). */
const narrowCiphers: Readonly<Record<string, NarrowCipher>> = {
  '2.16.840.1.101.3.4.1.2': { keyBytes: 16, ivBytes: 16, decrypt: cbc('aes-128-cbc') },
  '2.16.840.1.101.3.4.1.22': { keyBytes: 24, ivBytes: 16, decrypt: cbc('aes-192-cbc') },
  '2.16.840.1.101.3.4.1.42': { keyBytes: 32, ivBytes: 16, decrypt: cbc('aes-256-cbc') },
  '1.2.840.113549.3.7': { keyBytes: 24, ivBytes: 8, decrypt: cbc('des-ede3-cbc') },
}

/**
 * Candidate plaintexts, one for each form of the password whose padding is right. A wrong password passes that test
 * once in 256 times: the caller must parse the bytes. They are wiped afterwards.
 */
export function* decryptions(
  identifier: DerValue,
  ciphertext: Uint8Array,
  forms: PasswordForms,
  budget: DerivationBudget,
): Generator<Buffer, void, void> {
  for (const attempt of attemptsFor(identifier, forms, budget)) {
    const plain = attempt(ciphertext)
    if (!plain) continue
    yield plain
    plain.fill(0)
  }
}

type Attempt = (ciphertext: Uint8Array) => Buffer | undefined

function attemptsFor(identifier: DerValue, forms: PasswordForms, budget: DerivationBudget): Attempt[] {
  const algorithm = identifier.sequence()
  const oid = algorithm.next().oid()
  if (oid === PBES2) return narrowAttempts(algorithm.next(), forms, budget)
  const scheme = wideSchemes[oid]
  if (!scheme) throw unsupported(`the password encryption ${oid}`)
  const derivation = { hash: 'sha1', ...readSaltAndRounds(algorithm.next().raw) } as const
  return forms.wide.map((password) => (ciphertext) => {
    const key = deriveWide(derivation, password, derivedFor.key, scheme.keyBytes, budget)
    const iv = deriveWide(derivation, password, derivedFor.iv, WIDE_IV_BYTES, budget)
    return wipingAfter(key, () => scheme.decrypt(ciphertext, key, iv))
  })
}

/** PBES2-params of RFC 8018 appendix A.4. */
function narrowAttempts(parameters: DerValue, forms: PasswordForms, budget: DerivationBudget): Attempt[] {
  const fields = parameters.sequence()
  const derivation = readPbkdf2(fields.next())
  const encryption = fields.next().sequence()
  const oid = encryption.next().oid()
  const cipher = narrowCiphers[oid]
  if (!cipher) throw unsupported(`the cipher ${oid}`)
  const iv = encryption.next().octets()
  if (iv.length !== cipher.ivBytes) throw damaged('an initialisation vector of the wrong size')
  if ((derivation.keyLength ?? cipher.keyBytes) !== cipher.keyBytes) throw damaged('a key of the wrong size')
  return forms.narrow.map((password) => (ciphertext) => {
    const key = deriveNarrow(derivation, password, cipher.keyBytes, budget)
    return wipingAfter(key, () => cipher.decrypt(ciphertext, key, iv))
  })
}

function cbc(name: string): Decrypt {
  return (ciphertext, key, iv) => {
    const decipher = createDecipheriv(name, key, iv)
    try {
      return Buffer.concat([decipher.update(ciphertext), decipher.final()])
    } catch {
      return undefined // wrong padding, because of the password or the ciphertext: the caller decides which
    }
  }
}

function wipingAfter<T>(secret: Buffer, use: () => T): T {
  try {
    return use()
  } finally {
    secret.fill(0)
  }
}
