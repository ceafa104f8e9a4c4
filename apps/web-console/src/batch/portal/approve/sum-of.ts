import type { PortalRow } from '../api/portal-types.ts'

/** What files come to, exactly, and how many of them have no figures. */
export function sumOf(files: readonly Pick<PortalRow, 'totalCentavos'>[]): { centavos: string; without: number } {
  const known = files.map(({ totalCentavos }) => totalCentavos).filter((total) => total !== null)
  const sum = known.reduce((total, one) => total + BigInt(one), 0n)
  return { centavos: sum.toString(), without: files.length - known.length }
}
