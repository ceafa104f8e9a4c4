import { useFormats } from '../format/use-formats.ts'

const TWO_DAYS_MS = 48 * 3_600_000

/** Labels of a time axis: hours within two days, days beyond. */
export function useTickFormat(points: readonly { readonly at: string }[]): (at: string) => string {
  const { hour, day } = useFormats()
  const [first, last] = [points[0], points.at(-1)]
  const span = first && last ? Date.parse(last.at) - Date.parse(first.at) : 0
  return span > TWO_DAYS_MS ? day : hour
}
