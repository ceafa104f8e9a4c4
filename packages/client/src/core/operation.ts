/** How an operation is called: a row of a generated table. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
  readonly bodies: readonly string[]
  /** Media type of the answer; empty for one without content. */
  readonly answer: string
}

/** What an operation takes and answers: an entry of a generated interface. */
interface OperationTypes {
  readonly parameters: object
  readonly bodies: object
  readonly answer: unknown
}

/** The types of all operations of a service. */
export type AllTypes<Types> = { readonly [Name in keyof Types]: OperationTypes }

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data'

/** A form where one is accepted: it carries bytes unencoded. */
type BodyOf<Bodies> = Bodies extends { readonly [FORM_TYPE]: infer Form extends object }
  ? Form
  : Bodies extends { readonly [JSON_TYPE]: infer Json extends object }
    ? Json
    : undefined

/** What a caller of an operation has to give. */
export type InputOf<Types extends OperationTypes> = (keyof Types['parameters'] extends never
  ? { readonly parameters?: undefined }
  : { readonly parameters: Types['parameters'] }) &
  (BodyOf<Types['bodies']> extends undefined
    ? { readonly body?: undefined }
    : { readonly body: BodyOf<Types['bodies']> })

interface AnyInput {
  readonly parameters?: object | undefined
  readonly body?: object | undefined
}

/** The URL of a call. */
export function urlOf(base: string, { path, parameters }: Operation, { parameters: values = {} }: AnyInput): string {
  const query = new URLSearchParams()
  let filled = path
  for (const [name, value] of Object.entries(values)) {
    if (parameters[name] === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)))
    else if (parameters[name] === 'query' && value !== undefined) query.append(name, String(value))
  }
  return query.size > 0 ? `${base}${filled}?${query}` : base + filled
}

/** The header parameters of a call. An idempotency key is generated where none is given. */
export function headersOf({ parameters }: Operation, { parameters: values = {} }: AnyInput): Record<string, string> {
  const given = { ...(IDEMPOTENCY_KEY in parameters && { [IDEMPOTENCY_KEY]: randomName() }), ...definedIn(values) }
  return Object.fromEntries(Object.entries(given).filter(([name]) => parameters[name] === 'header'))
}

const IDEMPOTENCY_KEY = 'Idempotency-Key'

const definedIn = (values: object): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

// Not randomUUID: browsers provide it on secure pages only.
const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The body of a call with the headers that belong to it; it can be sent more than once. */
export function bodyOf({ bodies }: Operation, { body }: AnyInput): Pick<RequestInit, 'body' | 'headers'> {
  if (body === undefined) return {}
  if (bodies.includes(FORM_TYPE)) return { body: formOf(body) }
  return { body: JSON.stringify(body), headers: { 'Content-Type': JSON_TYPE } }
}

// Servers parse a form while it arrives, so the order matters: the session id comes before the documents.
function formOf(fields: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const part of Array.isArray(value) ? value : [value]) form.append(name, part)
  }
  return form
}

/** The content of an answer: a JSON value, bytes, or none; undefined for invalid JSON. */
export async function contentOf(
  { answer }: Operation,
  response: Response,
): Promise<{ readonly value: unknown } | undefined> {
  if (answer !== JSON_TYPE && answer !== '') return { value: new Uint8Array(await response.arrayBuffer()) }
  // Read even where nothing is expected: this frees the connection.
  const text = await response.text()
  if (answer === '') return { value: undefined }
  const value = jsonIn(text)
  return value === undefined ? undefined : { value }
}

/** Parses JSON; undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a call may be sent twice without further effect: it only reads, or it has an idempotency key. */
export const isRepeatable = ({ method, parameters }: Operation): boolean =>
  method === 'GET' || IDEMPOTENCY_KEY in parameters
