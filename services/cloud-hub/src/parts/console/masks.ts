// Masks what administrators see of holders: enough to find a case again, not enough to identify the person.
import type { IdentifierType } from '../../contract/models.ts'

/** `***.456.789-**` of a CPF, as public bodies show it; `12.345.***` and so on of a CNPJ. */
const shown: Readonly<Record<IdentifierType, { readonly form: RegExp; readonly mask: string }>> = {
  CPF: { form: /^.{3}(.{3})(.{3}).{2}$/, mask: '***.$1.$2-**' },
  CNPJ: { form: /^(.{2})(.{3}).{9}$/, mask: '$1.$2.***/****-**' },
}

export function maskedIdentifier(type: IdentifierType, value: string): string {
  const { form, mask } = shown[type]
  return form.test(value) ? value.replace(form, mask) : '***'
}

/** Providers name certificates after their holders: `ANA SOUZA:52998224725`. */
export const maskedAlias = (alias: string): string =>
  alias.replaceAll(/\d{6,}/g, (digits) => '*'.repeat(digits.length - 3) + digits.slice(-3))
