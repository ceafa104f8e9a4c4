import { statSync } from 'node:fs'
import { StartupProblem } from '../errors/index.ts'
import { createKeyFile, type KeyFile, readKeyFile } from './key-file.ts'
import { type KeyRing, newestOf, parseKeyRing } from './key-ring.ts'
import { keyIdOf, openText, sealText } from './sealed-text.ts'

/** Seals what must not be readable in the database, and opens it again. */
export interface Secrets {
  /** `v1.<key id>.<nonce>.<ciphertext>`. The context names the only place the value belongs to. */
  seal(plain: Uint8Array | string, context: string): string
  /** The value; throws a `SecretProblem` whose code says why it does not open. */
  open(sealed: string, context: string): Buffer
  /** The same as text. */
  openText(sealed: string, context: string): string
  /** The value under the newest key; the same text when it already is. */
  reseal(sealed: string, context: string): string
  /** The id of the key that seals. */
  newestKeyId(): string
}

/** Source of the master keys: the service's settings `Secrets:MasterKey`, or `Secrets:MasterKeyFile`. */
export interface SecretsOptions extends KeyFile {
  /** Keys in base64, separated by commas, the newest last; used instead of the file when given. */
  readonly masterKey?: string | undefined
}

/**
 * Opens the master keys, and makes a file that is missing; a failure says in one sentence which setting to fix. Without
 * a database: a service opens its own with `openMasterKeys`, which makes no key beside values of another one.
 */
export const openSecrets = (options: SecretsOptions): Secrets =>
  secretsUnder(findKeys(options) ?? fileRing(options, createKeyFile(options)))

/** The keys at hand; undefined when they come from a file that does not exist. */
export function findKeys({ masterKey, ...file }: SecretsOptions): (() => KeyRing) | undefined {
  if (masterKey !== undefined) return fixedRing(file.service, masterKey)
  const ring = readKeyFile(file)
  return ring && fileRing(file, ring)
}

function fixedRing(service: string, text: string): () => KeyRing {
  const ring = parseKeyRing(text)
  const setting = `${service} Secrets:MasterKey`
  if (!ring)
    throw new StartupProblem(`${setting}: must be one or more 32-byte keys in base64, separated by commas.`, {
      setting,
    })
  return () => ring
}

/**
 * A rotation takes effect at once in every process that shares the file: if a running service kept sealing under an old
 * key, retiring that key would lose the value.
 */
export function fileRing(file: KeyFile, read: KeyRing): () => KeyRing {
  let ring = read
  // Read once more at the first use: the file may have been replaced since it was read.
  let stamp: string | undefined
  return () => {
    const now = stampOf(file.masterKeyFile)
    if (now === stamp || now === undefined) return ring
    ring = readAgain(file) ?? ring
    stamp = now
    return ring
  }
}

/** Identifies a version of the file: it was replaced when any of these differ; undefined when it cannot be read. */
function stampOf(path: string): string | undefined {
  try {
    const { ino, size, ctimeMs } = statSync(path)
    return `${ino} ${size} ${ctimeMs}`
  } catch {
    // Removed or made unreadable while the service runs: it keeps its keys.
    return undefined
  }
}

function readAgain(file: KeyFile): KeyRing | undefined {
  try {
    return readKeyFile(file)
  } catch (error) {
    // A running service keeps its keys while an operator edits the file; the next start reports the problem.
    if (error instanceof StartupProblem) return undefined
    throw error
  }
}

export function secretsUnder(ring: () => KeyRing): Secrets {
  const seal = (plain: Uint8Array | string, context: string): string =>
    sealText(ring(), typeof plain === 'string' ? Buffer.from(plain) : plain, named(context))
  const open = (sealed: string, context: string): Buffer => openText(ring(), sealed, named(context))
  return {
    seal,
    open,
    openText: (sealed, context) => open(sealed, context).toString('utf8'),
    reseal: (sealed, context) =>
      keyIdOf(sealed) === newestOf(ring()).id ? sealed : seal(open(sealed, context), context),
    newestKeyId: () => newestOf(ring()).id,
  }
}

// Values sealed without a context could be swapped for one another.
function named(context: string): string {
  if (context === '') throw new Error('A sealed value needs a context that names its place.')
  return context
}
