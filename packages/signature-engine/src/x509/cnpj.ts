import { requireArguments } from '../errors/arguments.ts'
import { refuseCertificate } from './errors.ts'

/** Whether a CNPJ, numeric or alphanumeric, is well formed: right check digits, not one character repeated. */
export const isCnpj = (cnpj: string): boolean =>
  /^[0-9A-Z]{12}\d{2}$/.test(cnpj) && !/^(.)\1{13}$/.test(cnpj) && withCnpjCheckDigits(cnpj.slice(0, 12)) === cnpj

/** Twelve digits or capital letters become a CNPJ; the check digits are always numeric. */
export function withCnpjCheckDigits(twelveCharacters: string): string {
  requireArguments('withCnpjCheckDigits', { twelveCharacters: [twelveCharacters, 'text'] })
  if (!/^[0-9A-Z]{12}$/.test(twelveCharacters)) throw refuseCertificate('cnpj.malformed')
  const thirteen = twelveCharacters + checkDigit(twelveCharacters)
  return thirteen + checkDigit(thirteen)
}

/** IN RFB 2229/2024: a character counts as its ASCII code less 48 (A = 17), weights 2 to 9 repeat from the right. */
function checkDigit(characters: string): number {
  const sum = [...characters]
    .reverse()
    .reduce((total, character, index) => total + (character.charCodeAt(0) - 48) * (2 + (index % 8)), 0)
  const remainder = sum % 11
  return remainder < 2 ? 0 : 11 - remainder
}

/** Formatted: `12.ABC.345/01DE-35`. */
export function formattedCnpj(cnpj: string): string {
  requireArguments('formattedCnpj', { cnpj: [cnpj, 'text'] })
  return cnpj.replace(/^(\w{2})(\w{3})(\w{3})(\w{4})(\d{2})$/, '$1.$2.$3/$4-$5')
}
