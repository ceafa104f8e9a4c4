const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** An amount in Brazilian format, in every language: the file is Brazilian. */
export const formatCentavos = (centavos: number): string => reais.format(centavos / 100)

/** The same for a sum given as digits, which may be larger than a number keeps exact. */
export function formatExactCentavos(digits: string): string {
  const padded = digits.padStart(3, '0')
  return reais.format(`${padded.slice(0, -2)}.${padded.slice(-2)}` as `${number}`)
}

/** `yyyy-MM-dd` as `dd/MM/yyyy`. */
export const formatDay = (day: string): string => day.split('-').reverse().join('/')

/** A CPF or CNPJ with its punctuation; anything else as it is. */
export function formatTaxId(id: string): string {
  if (/^\d{11}$/.test(id)) return id.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '$1.$2.$3-$4')
  if (/^[\dA-Z]{12}\d{2}$/.test(id)) return id.replace(/(.{2})(.{3})(.{3})(.{4})(.{2})/, '$1.$2.$3/$4-$5')
  return id
}
