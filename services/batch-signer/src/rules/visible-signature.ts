/** What signatures of a profile show on a PDF, and where. */
export interface VisibleSignature {
  /** From 1. */
  readonly page: number | 'first' | 'last'
  /** As the reader sees the page. */
  readonly corner: 'bottom-left' | 'bottom-right' | 'top-left' | 'top-right'
  /** Distances from the corner and size of the box, in points (1/72 inch). */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Lines of text; fields in braces are filled in. */
  readonly lines: readonly string[]
  /** Base64 of a PNG or a JPEG. */
  readonly image: string | null
  readonly border: boolean
}

/** Largest image, in bytes: it is written into every signed document. */
export const MAX_IMAGE_BYTES = 131_072

/** What fields of a line are filled in with; null where there is none. */
export interface LineValues {
  /** The signer's name, without the number that certificates append to it. */
  readonly name: string
  readonly cpf: string | null
  readonly cnpj: string | null
  readonly date: string
  readonly reason: string | null
  readonly location: string | null
}

const cpfParts = /^(\d{3})(\d{3})(\d{3})(\d{2})$/

/** The fields of lines. */
const fields: Readonly<Record<string, (values: LineValues) => string | null | undefined>> = {
  name: ({ name }) => name,
  cpf: ({ cpf }) => cpf?.replace(cpfParts, '$1.$2.$3-$4'),
  maskedCpf: ({ cpf }) => cpf?.replace(cpfParts, '***.$2.$3-**'),
  cnpj: ({ cnpj }) => cnpj?.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5'),
  date: ({ date }) => date,
  reason: ({ reason }) => reason,
  location: ({ location }) => location,
}

const FIELD = /\{(\w+)\}/g

/** The lines with their fields filled in; one whose fields are all empty is left out: `CPF {cpf}` of a company. */
export const filledLines = (lines: readonly string[], values: LineValues): readonly string[] =>
  lines.flatMap((line) => {
    const found = [...line.matchAll(FIELD)].map(([, field]) => fields[field!]?.(values) ?? '')
    if (found.length > 0 && found.every((value) => value === '')) return []
    return [line.replaceAll(FIELD, (_, field: string) => fields[field]?.(values) ?? '')]
  })

/** Why lines cannot be filled in; undefined when they can. */
export function linesProblem(lines: readonly string[]): string | undefined {
  const unknown = lines.flatMap((line) => [...line.matchAll(FIELD)].map(([, field]) => field!))
  const first = unknown.find((field) => !Object.hasOwn(fields, field))
  return first === undefined ? undefined : `There is no field {${first}}; there are: ${Object.keys(fields).join(', ')}.`
}

/** A moment at the site, as documents in Brazil write it: `17/11/2026 19:08:23 -03:00`. */
export function signingDate(moment: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('pt-BR', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(moment)
  const offset = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(moment)
    .find(({ type }) => type === 'timeZoneName')!
    .value.replace(/^GMT/, '')
  return `${parts.replace(',', '')} ${offset || '+00:00'}`
}
