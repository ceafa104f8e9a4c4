import { randomBytes } from 'node:crypto'

/** Four ids of one degree share a number of so many digits (credentials-platform facts 1.2). */
const NONCE_DIGITS = 44

/** Gives so many random bytes. */
export type RandomSource = (size: number) => Uint8Array

/** Bytes from here on would make small digits likelier than large ones. */
const FAIR_BYTES = 250

/** A fresh number of 44 digits: 146 bits, so that two never meet. */
export function newNonce(random: RandomSource = randomBytes): string {
  let digits = ''
  while (digits.length < NONCE_DIGITS)
    for (const byte of random(NONCE_DIGITS)) if (byte < FAIR_BYTES) digits += String(byte % 10)
  return digits.slice(0, NONCE_DIGITS)
}

export const isNonce = (text: string): boolean => /^[0-9]{44}$/.test(text)

/** The ids of one degree in the documents about it. */
export interface DegreeIds {
  /** Of infDiploma, in the public XML. */
  readonly infDiploma: string
  /** Of DadosDiploma, in the academic documentation and in the public XML. */
  readonly dadosDiploma: string
  /** Of DadosRegistro, in the public XML. */
  readonly dadosRegistro: string
  /** Of RegistroReq, in the academic documentation; the public XML refers to it. */
  readonly documentacaoAcademica: string
}

export function degreeIds(nonce: string): DegreeIds {
  if (!isNonce(nonce)) throw new TypeError('A nonce has 44 digits.')
  return {
    infDiploma: `VDip${nonce}`,
    dadosDiploma: `Dip${nonce}`,
    dadosRegistro: `RDip${nonce}`,
    documentacaoAcademica: `ReqDip${nonce}`,
  }
}

/** The number inside an id of any of the four kinds, or `undefined`. */
export const nonceOf = (id: string): string | undefined => /^(?:VDip|Dip|RDip|ReqDip)([0-9]{44})$/.exec(id)?.[1]
