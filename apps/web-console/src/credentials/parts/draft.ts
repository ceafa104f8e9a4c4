// What is being typed: nested like the body of the request, with texts in the leaves until it is sent.

export type Draft = Readonly<Record<string, unknown>>

/** `steps[0].node` and `steps.0.node` name the same field. */
export const stepsOf = (path: string): readonly string[] => path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')

const inside = (value: unknown, step: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Draft)[step] : undefined

export const valueAt = (draft: Draft, path: string): unknown => stepsOf(path).reduce<unknown>(inside, draft)

/** The draft with another value at the path; lists stay lists. */
export const withValue = (draft: Draft, path: string, value: unknown): Draft =>
  put(draft, stepsOf(path), value) as Draft

function put(at: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value
  const next = put(inside(at, step), rest, value)
  if (!Array.isArray(at)) return { ...(at as object | undefined), [step]: next }
  return at.map((item, index) => (String(index) === step ? next : item))
}

/** Written with dots and strokes by people, sent as digits. */
const digitFields = [
  'cnpj',
  'cep',
  'codigoMunicipio',
  'identifier',
  'representative',
  'cpf',
  'code',
  'emecCode',
  'codigoEMEC',
]
const numberFields = ['secaoPublicacao', 'paginaPublicacao', 'numeroDOU']

function textAsSent(name: string, text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (digitFields.includes(name)) return trimmed.replaceAll(/[.\-/\s]/g, '')
  return numberFields.includes(name) && /^\d+$/.test(trimmed) ? Number(trimmed) : trimmed
}

/** The draft as the service takes it: a field left empty is not sent, nor is a part without any field. */
export function asSent(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return textAsSent(name, value)
  if (Array.isArray(value)) return value.map((item) => asSent(item)).filter((item) => item !== undefined)
  if (typeof value !== 'object' || value === null) return value ?? undefined
  const fields = Object.entries(value)
    .map(([key, item]) => [key, asSent(item, key)] as const)
    .filter(([, item]) => item !== undefined)
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}
