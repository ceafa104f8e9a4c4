const CPF = /^\d{3}(\d{3})(\d{3})\d{2}$/

/** A CPF as the public sees it: `***.456.789-**`. Undefined for anything else. */
export function maskCpf(identifier: string): string | undefined {
  const shown = CPF.exec(identifier.replaceAll(/[.-]/g, ''))
  return shown ? `***.${shown[1]}.${shown[2]}-**` : undefined
}
