/** The digits of a CPF, without punctuation. */
export const cpfDigits = (text: string): string => text.replace(/\D/g, '')

/** A CPF while it is typed, with the punctuation of what is there; further digits are left out. */
export const typedCpf = (text: string): string =>
  cpfDigits(text)
    .slice(0, 11)
    .replace(/^(\d{3})(?=\d)/, '$1.')
    .replace(/^(\d{3}\.\d{3})(?=\d)/, '$1.')
    .replace(/^(\d{3}\.\d{3}\.\d{3})(?=\d)/, '$1-')

/** Whether a text is a CPF, with or without punctuation: eleven digits, not all equal, the last two check digits. */
export function isCpf(text: string): boolean {
  const digits = cpfDigits(text)
  if (!/^[\d.\-\s]*$/.test(text) || !/^\d{11}$/.test(digits) || /^(\d)\1+$/.test(digits)) return false
  return [9, 10].every((place) => checkDigit(digits.slice(0, place)) === Number(digits[place]))
}

function checkDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (digits.length + 1 - index), 0)
  return ((sum * 10) % 11) % 10
}

/** CPFs separated by lines or commas; invalid ones are returned apart. */
export function cpfsIn(text: string): { readonly cpfs: readonly string[]; readonly wrong: readonly string[] } {
  const typed = text
    .split(/[\n,;]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return {
    cpfs: [...new Set(typed.filter(isCpf).map(cpfDigits))],
    wrong: typed.filter((line) => !isCpf(line)),
  }
}
