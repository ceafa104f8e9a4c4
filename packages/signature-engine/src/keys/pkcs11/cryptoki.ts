// The part of PKCS#11 that signing needs, by name. pkcs11js compiles native code and is therefore optional: it is
// imported only when the first module is opened.
import type { Handle, PKCS11 } from 'pkcs11js'
import { refusePkcs11 } from './errors.ts'
import { leavingNoErrors } from './leaving-no-errors.ts'

export type Cryptoki = PKCS11
export type CryptokiHandle = Handle

/** Return values (PKCS#11 §5.1) that are handled here. */
export const answers = {
  slotIdInvalid: 0x03,
  deviceError: 0x30,
  deviceRemoved: 0x32,
  keyHandleInvalid: 0x60,
  objectHandleInvalid: 0x82,
  pinIncorrect: 0xa0,
  pinInvalid: 0xa1,
  pinLengthRange: 0xa2,
  pinLocked: 0xa4,
  sessionClosed: 0xb0,
  sessionHandleInvalid: 0xb3,
  tokenNotPresent: 0xe0,
  tokenNotRecognized: 0xe1,
  userAlreadyLoggedIn: 0x100,
  userNotLoggedIn: 0x101,
  notInitialized: 0x190,
  alreadyInitialized: 0x191,
} as const

/** Flags of CK_TOKEN_INFO. */
export const tokenFlags = {
  loginRequired: 0x4,
  protectedAuthenticationPath: 0x100,
  initialized: 0x400,
  pinCountLow: 0x1_0000,
  pinFinalTry: 0x2_0000,
  pinLocked: 0x4_0000,
} as const

export const constants = {
  osLockingOk: 0x2,
  serialSession: 0x4,
  user: 1,
  contextSpecificUser: 2,
  certificateObject: 1,
  privateKeyObject: 3,
} as const

export const attributes = {
  class: 0x000,
  label: 0x003,
  value: 0x011,
  id: 0x102,
  alwaysAuthenticate: 0x202,
} as const

export const mechanisms = { rsaPkcs: 0x0001, rsaPkcsPss: 0x000d, ecdsa: 0x1041, eddsa: 0x1057 } as const

/** The return value a failed call carries; undefined when the error is something else. */
export const answerOf = (error: unknown): number | undefined =>
  error instanceof Error && error.name === 'Pkcs11Error' && 'code' in error ? Number(error.code) : undefined

interface Loaded {
  readonly cryptoki: Cryptoki
  users: number
  /** Tokens with open sessions, and signatures that run on other threads: neither survives a restart of the module. */
  inUse: number
}

// C_Initialize is called once per process and library, so all tokens of a module share one.
const loaded = new Map<string, Loaded>()

/** The module, loaded and initialised; `releaseModule` must follow. */
export async function acquireModule(path: string): Promise<Cryptoki> {
  const create = await library()
  const known = loaded.get(path)
  if (known) {
    known.users++
    return known.cryptoki
  }
  const cryptoki = load(create, path)
  loaded.set(path, { cryptoki, users: 1, inUse: 0 })
  return cryptoki
}

/** Finalises the module after its last user. */
export function releaseModule(path: string): void {
  const module = loaded.get(path)
  if (!module || --module.users > 0) return
  loaded.delete(path)
  try {
    module.cryptoki.C_Finalize()
  } catch {
    // Releasing a module whose reader is gone may fail: there is nothing left to do.
  }
  module.cryptoki.close()
}

/** Marks the module as in use until the returned function is called, once or more often. */
export function useModule(path: string): () => void {
  const module = loaded.get(path)
  if (module) module.inUse++
  let isUsed = true
  return () => {
    if (isUsed && module) module.inUse--
    isUsed = false
  }
}

/**
 * Looks for something with a module; where it is missed or the module fails, once more after the module was finalised
 * and initialised: some keep what they knew of a token that was removed, and stay broken when it is back. Not while
 * somebody else uses the module.
 */
export function lookAgain<T>(path: string, look: () => T | undefined): T | undefined {
  try {
    const found = look()
    if (found !== undefined || !restart(path)) return found
  } catch (error) {
    if (answerOf(error) === undefined || !restart(path)) throw error
  }
  return look()
}

function restart(path: string): boolean {
  const module = loaded.get(path)
  if (!module || module.inUse > 0) return false
  try {
    module.cryptoki.C_Finalize()
  } catch {
    // One that could not be initialised the last time; it is tried again.
  }
  initialize(module.cryptoki)
  return true
}

/** Initialises; already initialised is fine, because others in the process may use the same module. */
export function initialize(cryptoki: Cryptoki): void {
  try {
    // Signatures run on the thread pool: the module must lock for itself.
    cryptoki.C_Initialize({ flags: constants.osLockingOk })
  } catch (error) {
    if (answerOf(error) !== answers.alreadyInitialized) throw error
  }
}

type CreateCryptoki = () => Cryptoki

async function library(): Promise<CreateCryptoki> {
  try {
    const { default: pkcs11js } = (await import('pkcs11js')) as unknown as { default: { PKCS11: new () => Cryptoki } }
    return () => new pkcs11js.PKCS11()
  } catch (error) {
    throw refusePkcs11('pkcs11.not-installed', undefined, error)
  }
}

function load(create: CreateCryptoki, path: string): Cryptoki {
  try {
    // From the first call on: initialising leaves the most errors.
    const cryptoki = leavingNoErrors(create())
    cryptoki.load(path)
    initialize(cryptoki)
    return cryptoki
  } catch (error) {
    throw refusePkcs11('pkcs11.module-unusable', { module: path, reason: (error as Error).message }, error)
  }
}
