/** `***.456.789-**` of a CPF, as public bodies show it: enough to find a case again, not enough to identify the person. */
export function maskedIdentifier(cpf: string | null): string | null {
  if (cpf === null) return null
  const form = /^\d{3}(\d{3})(\d{3})\d{2}$/
  return form.test(cpf) ? cpf.replace(form, '***.$1.$2-**') : '***'
}
