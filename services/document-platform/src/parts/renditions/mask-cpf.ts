const CPF = /^\d{3}(\d{3})(\d{3})\d{2}$/

/** A CPF as strangers may see it: `***.456.789-**`. Anything else is not shown at all. */
export function maskCpf(identifier: string): string | undefined {
  const shown = CPF.exec(identifier.replaceAll(/[.-]/g, ''))
  return shown ? `***.${shown[1]}.${shown[2]}-**` : undefined
}
