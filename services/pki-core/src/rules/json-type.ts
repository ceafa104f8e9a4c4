// Which spelling of JSON an answer has (spec 1 C, Endpoints): application/json, unless the caller prefers text/json.

export const TEXT_JSON = 'text/json; charset=utf-8'

interface Accepted {
  readonly type: string
  readonly quality: number
}

const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

function accepted(range: string): Accepted {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.map((one) => QUALITY.exec(one)?.[1]).find((one) => one !== undefined)
  return { type, quality: quality === undefined ? 1 : Number(quality) }
}

/** How much a type is wanted: as the narrowest range that has it says (RFC 9110 §12.5.1). */
const wantedBy = (ranges: readonly Accepted[], ...names: readonly string[]): number =>
  names.map((name) => ranges.find(({ type }) => type === name)?.quality).find((one) => one !== undefined) ?? 0

/** Whether text/json is wanted more, or as much and named first. */
export function prefersTextJson(accept: string | undefined): boolean {
  if (!accept || !/text\/(?:json|\*)/i.test(accept)) return false
  const ranges = accept.split(',').map(accepted)
  const text = wantedBy(ranges, 'text/json', 'text/*', '*/*')
  const plain = wantedBy(ranges, 'application/json', 'application/*', '*/*')
  if (text !== plain) return text > plain
  const first = ranges.find(({ type }) => type === 'text/json' || type === 'application/json')
  return text > 0 && first?.type === 'text/json'
}
