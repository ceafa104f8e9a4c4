// PFX of RFC 7292: a list of safes under a MAC, each safe a list of bags, some encrypted as a whole and some bag by bag.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type DerMembers, type DerValue, readDer } from '../../der/der-value.ts'
import { fromBer } from '../../der/from-ber.ts'
import { contextConstructed, contextPrimitive, tags } from '../../der/tags.ts'
import { EngineError } from '../../errors/engine-error.ts'
import { DerivationBudget } from './derivation-budget.ts'
import { damaged, refusePkcs12, unsupported } from './errors.ts'
import { formsConfirmedBy } from './integrity.ts'
import { decryptions } from './password-encryption.ts'
import { type PasswordForms, passwordForms, wipeForms } from './password-forms.ts'

const DATA = '1.2.840.113549.1.7.1'
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6'
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1'
const attributeTypes = { friendlyName: '1.2.840.113549.1.9.20', localKeyId: '1.2.840.113549.1.9.21' } as const

/** Nested safes: nobody writes more than one level. */
const MAX_NESTING = 4

export interface Pkcs12Limits {
  /** Rounds of key derivation the whole file may cost; default 5,000,000, some seconds of one core. */
  readonly maxIterations: number
  /** Size of the file in bytes; default 1 MiB. */
  readonly maxBytes: number
}

/** How writers link and name bags. */
interface BagNames {
  readonly friendlyName: string | null
  /** In hexadecimal. */
  readonly localKeyId: string | null
}

/** Everything useful in the file, still unsorted. */
export interface Pkcs12Bags {
  readonly keys: readonly (BagNames & { readonly privateKey: KeyObject })[]
  readonly certificates: readonly (BagNames & { readonly der: Uint8Array })[]
}

/** Opens a PKCS#12 file with a password in UTF-8. Costs up to seconds of CPU: meant for a worker. */
export function readPfx(file: Uint8Array, password: Uint8Array, limits: Pkcs12Limits): Pkcs12Bags {
  if (file.length > limits.maxBytes) {
    throw refusePkcs12('pkcs12.too-large', { bytes: file.length, limit: limits.maxBytes })
  }
  const forms = passwordForms(password)
  const budget = new DerivationBudget(limits.maxIterations)
  try {
    const pfx = readOutline(file)
    const confirmed = pfx.mac && namingDamage(() => formsConfirmedBy(pfx.mac!, pfx.safes, forms, budget))
    if (pfx.mac && !confirmed) throw refuseUnconfirmed(pfx, forms, budget)
    const reader = new SafeReader(confirmed ?? forms, confirmed !== undefined, budget)
    namingDamage(() => reader.readSafes(pfx.safes))
    return reader
  } finally {
    wipeForms(forms)
  }
}

interface PfxOutline {
  /** AuthenticatedSafe, exactly as the MAC covers it. */
  readonly safes: Buffer
  readonly mac: DerValue | undefined
}

/** Version, content and MAC. Without these it is another kind of file. */
function readOutline(file: Uint8Array): PfxOutline {
  let type: string
  let content: DerValue
  let fields: DerMembers
  try {
    fields = readDer(fromBer(file)).sequence()
    if (fields.next().smallInteger() !== 3) throw refusePkcs12('pkcs12.not-pkcs12')
    const authSafe = fields.next().sequence()
    type = authSafe.next().oid()
    content = authSafe.next(contextConstructed(0)).unwrap()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    // A truncated file still begins like one; anything else is not PKCS#12.
    if (beginsLikePfx(file)) throw damaged(error.message, error)
    throw refusePkcs12('pkcs12.not-pkcs12', undefined, error)
  }
  if (type !== DATA) throw unsupported('a certificate instead of a password')
  return namingDamage(() => {
    const mac = fields.done ? undefined : fields.next(tags.sequence)
    fields.end()
    return { safes: content.octets(), mac }
  })
}

/** SEQUENCE, a length in any form, INTEGER 3, SEQUENCE. */
const beginsLikePfx = (file: Uint8Array): boolean =>
  /^30(?:80|[0-7].|81..|82.{4}|83.{6}|84.{8})02010330/.test(Buffer.from(file.subarray(0, 12)).toString('hex'))

/** The MAC does not match: if the password still decrypts something, it is right and the file is damaged. */
function refuseUnconfirmed(pfx: PfxOutline, forms: PasswordForms, budget: DerivationBudget): EngineError {
  try {
    const reader = new SafeReader(forms, false, budget)
    if (namingDamage(() => reader.opensAny(pfx.safes))) return damaged('its content does not match its MAC')
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    // Garbage inside says nothing about the password: the likelier cause is reported.
  }
  return refusePkcs12('pkcs12.wrong-password')
}

/** Walks the safes and collects keys and certificates. */
class SafeReader implements Pkcs12Bags {
  readonly keys: (BagNames & { readonly privateKey: KeyObject })[] = []
  readonly certificates: (BagNames & { readonly der: Uint8Array })[] = []
  readonly #forms: PasswordForms
  readonly #confirmed: boolean
  readonly #budget: DerivationBudget

  constructor(forms: PasswordForms, confirmed: boolean, budget: DerivationBudget) {
    this.#forms = forms
    this.#confirmed = confirmed
    this.#budget = budget
  }

  readSafes(safes: Uint8Array): void {
    for (const { type, content } of contentInfos(safes)) {
      if (type === DATA) this.#bags(content.octets(), 0)
      else if (type === ENCRYPTED_DATA) this.#decrypted(encryptedPartOf(content), (plain) => this.#bags(plain, 0))
      else throw unsupported(`the content type ${type}`)
    }
  }

  /** Whether the password opens at least one encrypted part, whatever is wrong with the rest. */
  opensAny(safes: Uint8Array): boolean {
    return contentInfos(safes).some(({ type, content }) => {
      if (type === ENCRYPTED_DATA) return this.#opens(encryptedPartOf(content), (plain) => void bagsOf(plain))
      if (type !== DATA) return false
      return bagsOf(content.octets()).some(
        (bag) => bag.type === bagTypes.shroudedKey && this.#opens(shroudedPartOf(bag.value), requirePrivateKeyInfo),
      )
    })
  }

  #opens(part: EncryptedPart, makeSense: (plain: Buffer) => void): boolean {
    try {
      this.#decrypted(part, makeSense)
      return true
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      return false // damaged, expensive or unknown: not opened in any case
    }
  }

  #bags(content: Uint8Array, nesting: number): void {
    for (const { type, value, names } of bagsOf(content)) {
      if (type === bagTypes.key) this.#keepKey(value.raw, names)
      if (type === bagTypes.shroudedKey) this.#decrypted(shroudedPartOf(value), (plain) => this.#keepKey(plain, names))
      if (type === bagTypes.certificate) this.#keepCertificate(value, names)
      if (type === bagTypes.safe) {
        if (nesting >= MAX_NESTING) throw damaged('safes inside safes without end')
        this.#bags(value.raw, nesting + 1)
      }
      // Revocation lists and other secrets may be there too; they are not needed to sign.
    }
  }

  #keepKey(pkcs8: Buffer, names: BagNames): void {
    const info = requirePrivateKeyInfo(pkcs8)
    try {
      this.keys.push({ ...names, privateKey: createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }) })
    } catch (error) {
      throw understandsKey(info)
        ? damaged('its private key is broken', error)
        : unsupported(`a key of the kind ${info}`)
    }
  }

  #keepCertificate(value: DerValue, names: BagNames): void {
    const fields = value.sequence()
    if (fields.next().oid() !== X509_CERTIFICATE) return // an SDSI certificate: no software in use reads those
    this.certificates.push({ ...names, der: Uint8Array.from(fields.next().unwrap().octets()) })
  }

  /** Decrypts and parses. Without a MAC that confirmed the password, garbage means a wrong password. */
  #decrypted(part: EncryptedPart, read: (plain: Buffer) => void): void {
    let failure: EngineError | undefined
    for (const plain of decryptions(part.algorithm, part.ciphertext, this.#forms, this.#budget)) {
      try {
        requireWhole(plain)
        read(plain)
        return
      } catch (error) {
        if (!(error instanceof EngineError) || notForThePassword.has(error.code)) throw error
        failure ??= error
      } finally {
        plain.fill(0)
      }
    }
    if (!this.#confirmed) throw refusePkcs12('pkcs12.wrong-password', undefined, failure)
    throw damaged('an encrypted part does not decrypt', failure)
  }
}

/** Refusals that another form of the password would not change. */
const notForThePassword = new Set(['pkcs12.unsupported', 'pkcs12.too-expensive'])

interface ContentInfo {
  readonly type: string
  readonly content: DerValue
}

const contentInfos = (safes: Uint8Array): ContentInfo[] =>
  readDer(fromBer(safes))
    .expect(tags.sequence)
    .members()
    .map((info) => {
      const fields = info.sequence()
      return { type: fields.next().oid(), content: fields.next(contextConstructed(0)).unwrap() }
    })

interface EncryptedPart {
  readonly algorithm: DerValue
  readonly ciphertext: Uint8Array
}

/** EncryptedData of RFC 5652 §8. */
function encryptedPartOf(content: DerValue): EncryptedPart {
  const fields = content.sequence()
  fields.next(tags.integer)
  const info = fields.next().sequence()
  info.next(tags.oid)
  return { algorithm: info.next(tags.sequence), ciphertext: implicitOctets(info.next()) }
}

/** EncryptedPrivateKeyInfo of RFC 5958 §3. */
function shroudedPartOf(value: DerValue): EncryptedPart {
  const fields = value.sequence()
  return { algorithm: fields.next(tags.sequence), ciphertext: fields.next().octets() }
}

/** `[0] IMPLICIT OCTET STRING`, which streaming writers leave in pieces. */
function implicitOctets(value: DerValue): Uint8Array {
  if (value.tag === contextPrimitive(0)) return value.content
  return Buffer.concat(
    value
      .expect(contextConstructed(0))
      .members()
      .map((piece) => piece.octets()),
  )
}

const bagTypes = {
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  safe: '1.2.840.113549.1.12.10.1.6',
} as const

interface Bag {
  readonly type: string
  readonly value: DerValue
  readonly names: BagNames
}

/** SafeContents of RFC 7292 §4.2. */
const bagsOf = (content: Uint8Array): Bag[] =>
  readDer(fromBer(content))
    .expect(tags.sequence)
    .members()
    .map((bag) => {
      const fields = bag.sequence()
      const type = fields.next().oid()
      const value = fields.next(contextConstructed(0)).unwrap()
      return { type, value, names: namesOf(fields.optional(tags.set)) }
    })

function namesOf(attributes: DerValue | undefined): BagNames {
  let friendlyName: string | null = null
  let localKeyId: string | null = null
  for (const attribute of attributes?.members() ?? []) {
    const fields = attribute.sequence()
    const type = fields.next().oid()
    const [value] = fields.next(tags.set).members()
    if (type === attributeTypes.friendlyName && value?.isText()) friendlyName = value.text()
    if (type === attributeTypes.localKeyId && value?.tag === tags.octetString)
      localKeyId = value.octets().toString('hex')
  }
  return { friendlyName, localKeyId }
}

/** The outer length must match exactly: a wrong password with valid padding fails here. */
function requireWhole(plain: Uint8Array): void {
  readDer(fromBer(plain)).expect(tags.sequence)
}

/** PrivateKeyInfo of RFC 5958 §2; the OID of the key's kind. */
function requirePrivateKeyInfo(pkcs8: Uint8Array): string {
  const fields = readDer(pkcs8).sequence()
  fields.next(tags.integer)
  const kind = fields.next().sequence().next().oid()
  fields.next(tags.octetString)
  return kind
}

const understoodKeys = new Set(['1.2.840.113549.1.1.1', '1.2.840.10045.2.1', '1.3.101.112'])
const understandsKey = (kind: string): boolean => understoodKeys.has(kind)

/** An ASN.1 error inside a file with the outline of PKCS#12 means damage. */
function namingDamage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof EngineError) || error.code.startsWith('pkcs12.')) throw error
    throw damaged(error.message, error)
  }
}
