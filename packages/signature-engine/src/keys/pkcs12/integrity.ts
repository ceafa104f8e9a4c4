import { createHmac, timingSafeEqual } from 'node:crypto'
import type { DerValue } from '../../der/der-value.ts'
import type { DerivationBudget } from './derivation-budget.ts'
import { unsupported } from './errors.ts'
import {
  type DerivationHash,
  derivedFor,
  deriveNarrow,
  deriveWide,
  digestBytes,
  hmacOf,
  iterationsOf,
  readPbkdf2,
} from './key-derivation.ts'
import type { PasswordForms } from './password-forms.ts'

const PBMAC1 = '1.2.840.113549.1.5.14'

const hashes: Readonly<Record<string, DerivationHash>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/**
 * The password forms that match the MAC over the safes, or undefined. This decides on the password, except that a
 * damaged file does not match either.
 */
export function formsConfirmedBy(
  macData: DerValue,
  safes: Uint8Array,
  forms: PasswordForms,
  budget: DerivationBudget,
): PasswordForms | undefined {
  const fields = macData.sequence()
  const digestInfo = fields.next().sequence()
  const algorithm = digestInfo.next()
  const expected = digestInfo.next().octets()
  const [oid, parameters] = algorithm.sequence().rest()
  if (oid?.oid() === PBMAC1 && parameters) {
    const narrow = forms.narrow.find((form) => holds(pbmac1(parameters, form, budget), safes, expected))
    return narrow && { ...forms, narrow: [narrow] }
  }
  const hash = hashes[oid?.oid() ?? '']
  if (!hash) throw unsupported(`the MAC ${oid?.oid()}`)
  const salt = fields.next().octets()
  const iterations = fields.done ? 1 : iterationsOf(fields.next())
  const keyFor = (form: Buffer) =>
    deriveWide({ hash, salt, iterations }, form, derivedFor.mac, digestBytes(hash), budget)
  // The first match is enough: the others cost as much again.
  const wide = forms.wide.find((form) => holds({ hash, key: keyFor(form) }, safes, expected))
  return wide && { ...forms, wide: [wide] }
}

interface Mac {
  readonly hash: DerivationHash
  readonly key: Buffer
}

/** RFC 9579: the key comes from PBKDF2; the other salt and rounds have no meaning. */
function pbmac1(parameters: DerValue, password: Buffer, budget: DerivationBudget): Mac {
  const fields = parameters.sequence()
  const derivation = readPbkdf2(fields.next())
  const hash = hmacOf(fields.next())
  return { hash, key: deriveNarrow(derivation, password, boundedKey(derivation.keyLength, hash), budget) }
}

// RFC 9579 §4 requires the length, and no sane writer uses more than a digest's.
function boundedKey(keyLength: number | undefined, hash: DerivationHash): number {
  if (keyLength !== undefined && (keyLength < 1 || keyLength > 128))
    throw unsupported(`a MAC key of ${keyLength} bytes`)
  return keyLength ?? digestBytes(hash)
}

function holds({ hash, key }: Mac, safes: Uint8Array, expected: Uint8Array): boolean {
  const actual = createHmac(hash, key).update(safes).digest()
  key.fill(0)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
