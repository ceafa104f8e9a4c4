import { requireArguments } from '../errors/arguments.ts'
import { refuseCertificate } from './errors.ts'

/** Whether a CPF is well formed: eleven digits, right check digits, not one digit repeated. */
export const isCpf = (cpf: string): boolean =>
  /^\d{11}$/.test(cpf) && !/^(\d)\1{10}$/.test(cpf) && withCpfCheckDigits(cpf.slice(0, 9)) === cpf

/** Nine digits become a CPF; fictitious people get theirs this way. */
export function withCpfCheckDigits(nineDigits: string): string {
  requireArguments('withCpfCheckDigits', { nineDigits: [nineDigits, 'text'] })
  if (!/^\d{9}$/.test(nineDigits)) throw refuseCertificate('cpf.malformed')
  const tenDigits = nineDigits + checkDigit(nineDigits)
  return tenDigits + checkDigit(tenDigits)
}

/** Mod 11 with weights 2, 3, 4… from the right; ten and eleven count as zero. */
function checkDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (digits.length + 1 - index), 0)
  const remainder = sum % 11
  return remainder < 2 ? 0 : 11 - remainder
}

/** Formatted: `529.982.247-25`. */
export function formattedCpf(cpf: string): string {
  requireArguments('formattedCpf', { cpf: [cpf, 'text'] })
  return cpf.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')
}
