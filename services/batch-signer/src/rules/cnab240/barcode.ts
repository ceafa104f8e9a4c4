/** Whether a bank slip's barcode (44 digits) carries the right check digit in position 5. */
export const isSlipBarcode = (barcode: string): boolean =>
  /^\d{44}$/.test(barcode) && Number(barcode[4]) === slipCheckDigit(without(barcode, 4))

/** Whether a utility or tax barcode (44 digits, the first an 8) carries the right check digit in position 4. */
export function isCollectionBarcode(barcode: string): boolean {
  if (!/^8\d[6-9]\d{41}$/.test(barcode)) return false
  const digit = Number(barcode[3])
  const others = without(barcode, 3)
  if (barcode[2] === '6' || barcode[2] === '7') return digit === modulus10(others)
  return modulus11Answers(others).includes(digit)
}

/**
 * The barcode of a utility bill or tax, from the 44 digits the bars hold or from the 48 a person types, in which each
 * group of eleven is followed by its own check digit.
 */
export const collectionBarcode = (field: string): string =>
  /^\d{48}$/.test(field) ? field.replace(/(\d{11})\d/g, '$1') : field

const without = (digits: string, index: number): string => digits.slice(0, index) + digits.slice(index + 1)

function slipCheckDigit(digits: string): number {
  const digit = 11 - (weightedSum(digits) % 11)
  return digit > 9 ? 1 : digit
}

/** FEBRABAN's barcode guide turns a result of 10 or 11 into 0, Itaú's manual into 1: both are in circulation. */
function modulus11Answers(digits: string): readonly number[] {
  const digit = 11 - (weightedSum(digits) % 11)
  return digit > 9 ? [0, 1] : [digit]
}

/** Weights 2 to 9 repeat from the right. */
function weightedSum(digits: string): number {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    sum += digitAt(digits, digits.length - 1 - index) * (2 + (index % 8))
  }
  return sum
}

/** Weights 2 and 1 alternate from the right; a product of two digits counts as their sum. */
function modulus10(digits: string): number {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const product = digitAt(digits, digits.length - 1 - index) * (index % 2 === 0 ? 2 : 1)
    sum += product > 9 ? product - 9 : product
  }
  return (10 - (sum % 10)) % 10
}

const digitAt = (digits: string, index: number): number => digits.charCodeAt(index) - 0x30
