import { answerOf, type Cryptoki, type CryptokiHandle, tokenFlags } from './cryptoki.ts'

/** A token as the module describes it, without a login. */
export interface Pkcs11TokenInfo {
  readonly label: string
  readonly serialNumber: string
  readonly manufacturer: string
  readonly model: string
  readonly loginRequired: boolean
  /** The PIN is typed on the reader, not given by the program. */
  readonly protectedAuthenticationPath: boolean
  /** A wrong PIN was tried since the last right one. */
  readonly pinCountLow: boolean
  /** The next wrong PIN locks the token. */
  readonly pinFinalTry: boolean
  readonly pinLocked: boolean
  /** How many sessions it allows at once; Infinity when it does not say. */
  readonly maxSessions: number
}

export interface PresentToken {
  readonly slot: CryptokiHandle
  readonly info: Pkcs11TokenInfo
}

/** The initialised tokens that are present. */
export function presentTokens(cryptoki: Cryptoki): PresentToken[] {
  return cryptoki.C_GetSlotList(true).flatMap((slot) => {
    const raw = rawInfo(cryptoki, slot)
    if (!raw || (raw.flags & tokenFlags.initialized) === 0) return []
    return [{ slot, info: described(raw) }]
  })
}

/** Undefined for a token that does not answer: one that was pulled out or is broken must not hide the others. */
function rawInfo(cryptoki: Cryptoki, slot: CryptokiHandle): ReturnType<Cryptoki['C_GetTokenInfo']> | undefined {
  try {
    return cryptoki.C_GetTokenInfo(slot)
  } catch (error) {
    if (answerOf(error) === undefined) throw error
    return undefined
  }
}

function described(raw: ReturnType<Cryptoki['C_GetTokenInfo']>): Pkcs11TokenInfo {
  const has = (flag: number): boolean => (raw.flags & flag) !== 0
  return {
    label: unpadded(raw.label),
    serialNumber: unpadded(raw.serialNumber),
    manufacturer: unpadded(raw.manufacturerID),
    model: unpadded(raw.model),
    loginRequired: has(tokenFlags.loginRequired),
    protectedAuthenticationPath: has(tokenFlags.protectedAuthenticationPath),
    pinCountLow: has(tokenFlags.pinCountLow),
    pinFinalTry: has(tokenFlags.pinFinalTry),
    pinLocked: has(tokenFlags.pinLocked),
    // CK_EFFECTIVELY_INFINITE is 0, CK_UNAVAILABLE_INFORMATION is all ones.
    maxSessions: raw.maxSessionCount > 0 && raw.maxSessionCount < 0xffff_ffff ? raw.maxSessionCount : Infinity,
  }
}

// Fixed fields, padded with blanks; some modules pad with zero bytes.
const unpadded = (text: string): string => text.replace(/[\s\0]+$/, '')
